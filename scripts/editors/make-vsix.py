#!/usr/bin/env python3
"""Packs an extension of Visual Studio Code as a .vsix.

    make-vsix.py FOLDER VERSION OUT

A .vsix is a zip: the extension in `extension/`, `extension.vsixmanifest` with
what package.json says, and `[Content_Types].xml`, which has a type for every
file. The entries are sorted and have no date, so equal files give equal bytes.
"""

import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

CONTENT_TYPES = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".md": "text/markdown",
    ".vsixmanifest": "text/xml",
}


def get_manifest(package):
    properties = {
        "Microsoft.VisualStudio.Code.Engine": package["engines"]["vscode"],
        "Microsoft.VisualStudio.Code.ExtensionKind": "workspace",
        "Microsoft.VisualStudio.Code.ExecutesCode": "true",
    }
    lines = "".join(
        f"      <Property Id={quoteattr(name)} Value={quoteattr(value)}/>\n"
        for name, value in properties.items())
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
{lines}    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def get_content_types(names):
    lines = set()
    for name in names:
        extension = os.path.splitext(name)[1]
        if extension:
            kind = CONTENT_TYPES.get(extension, "application/octet-stream")
            lines.add(f"  <Default Extension={quoteattr(extension)} "
                      f"ContentType={quoteattr(kind)}/>\n")
        else:
            lines.add(f"  <Override PartName={quoteattr('/' + name)} "
                      'ContentType="application/octet-stream"/>\n')
    return ('<?xml version="1.0" encoding="utf-8"?>\n'
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
            f'content-types">\n{"".join(sorted(lines))}</Types>\n')


def main():
    folder, version, out = sys.argv[1:]
    files = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            entry = os.path.join("extension", os.path.relpath(path, folder))
            with open(path, "rb") as file:
                files[entry] = file.read()
    package = json.loads(files["extension/package.json"])
    package["version"] = version
    files["extension/package.json"] = (json.dumps(package, indent=2) + "\n").encode()
    files["extension.vsixmanifest"] = get_manifest(package).encode()
    files["[Content_Types].xml"] = get_content_types(list(files)).encode()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in sorted(files):
            info = zipfile.ZipInfo(entry)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[entry])


if __name__ == "__main__":
    main()
