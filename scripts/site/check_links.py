#!/usr/bin/env python3
"""Checks the links of a built site: check_links.py SITE.

Every href and src is a file of the site, and every fragment an id of its target;
nothing is loaded from another host. Prints what is wrong and exits with 1. With
`--external` it prints the links to other hosts instead, one a line.
"""

import argparse
import collections
import html.parser
import pathlib
import sys
import urllib.parse

# Other hosts are for links that a reader follows, in these schemes.
_SCHEMES = ("http", "https", "mailto")


class _Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids = set()
        self.links = []  # (tag, target)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)
            elif name in ("href", "src", "action") and value is not None:
                self.links.append((tag, value))


def read_pages(site):
    pages = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = _Page()
        pages[path].feed(path.read_text(encoding="utf-8"))
    return pages


def check_external(tag, url):
    """What is wrong with a link to another host, or None."""
    if url.scheme not in _SCHEMES:
        return f"expects a scheme of {', '.join(_SCHEMES)}"
    if url.scheme != "mailto" and not url.hostname:
        return "expects a host"
    if tag != "a":
        return f"expects a file of the site in <{tag}>"
    return None


def check(site):
    """The broken links, as lines."""
    pages = read_pages(site)
    if not pages:
        return [f"{site}: expects pages but got none"]
    broken = []
    for path, page in pages.items():
        for tag, target in page.links:
            problem = check_link(site, pages, path, tag, target)
            if problem:
                broken.append(f"{path.relative_to(site)}: {target}: {problem}")
    return broken


def check_link(site, pages, path, tag, target):
    try:
        url = urllib.parse.urlsplit(target)
    except ValueError as error:
        return str(error)
    if url.scheme == "data":
        return None
    if url.scheme or url.netloc:
        return check_external(tag, url)
    file = path
    if url.path:
        file = (path.parent / urllib.parse.unquote(url.path)).resolve()
    if not file.is_relative_to(site) or not file.is_file():
        return "expects a file of the site"
    fragment = urllib.parse.unquote(url.fragment)
    if fragment and file in pages and fragment not in pages[file].ids:
        return "expects an id of its target as the fragment"
    return None


def list_external(site):
    """The pages that link to each address of another host."""
    links = collections.defaultdict(set)
    for path, page in read_pages(site).items():
        for _, target in page.links:
            if urllib.parse.urlsplit(target).scheme in ("http", "https"):
                links[target].add(str(path.relative_to(site)))
    return links


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--external", action="store_true")
    options = parser.parse_args()
    site = options.site.resolve()
    if options.external:
        print("\n".join(sorted(list_external(site))))
        return 0
    broken = check(site)
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
