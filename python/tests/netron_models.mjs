// node netron_models.mjs NETRON FILE...
//
// Opens files as Netron does, with the modules of its page, which are in the
// folder NETRON, and prints what the page would show of each as JSON.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...files] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, name)).href);
const view = await load('view.js');
const base = await load('base.js');

// What the modules ask of the page.
const host = {
  require: (id) => load(`${id}.js`),
  environment: () => null,
  event: () => {},
  exception: (error) => {
    throw error;
  }
};

class Context {
  constructor(file, data) {
    this.identifier = basename(file);
    this.stream = new base.BinaryStream(new Uint8Array(data));
    this.entries = new Map();
  }
  require(id) {
    return host.require(id);
  }
  async asset(name) {
    return (await readFile(join(folder, name))).toString();
  }
  async fetch(name) {
    throw new Error(`expects one file but got a request for ${name}`);
  }
  error(error) {
    throw error;
  }
}

const typeOf = (value) => (value?.type ? value.type.toString() : null);
const list = (items) => Array.from(items ?? []);

function describe(model) {
  return {
    format: model.format,
    producer: model.producer ?? null,
    description: model.description ?? null,
    metadata: list(model.metadata).map((entry) => [entry.name, `${entry.value}`]),
    graphs: list(model.modules).map((graph) => ({
      name: graph.name,
      description: graph.description ?? null,
      inputs: list(graph.inputs).map((x) => [x.name, typeOf(x.value[0])]),
      outputs: list(graph.outputs).map((x) => [x.name, typeOf(x.value[0])]),
      nodes: list(graph.nodes).map((node) => ({
        name: node.name,
        type: node.type.name,
        category: node.type.category ?? null,
        description: node.description ?? null,
        inputs: list(node.inputs).flatMap((x) =>
          list(x.value).map((value) => [value?.name, typeOf(value)])
        ),
        outputs: list(node.outputs).flatMap((x) =>
          list(x.value).map((value) => [value?.name, typeOf(value)])
        )
      }))
    }))
  };
}

const service = new view.ModelFactoryService(host);
const shown = {};
for (const file of files) {
  const model = await service.open(new Context(file, await readFile(file)));
  shown[file] = describe(model);
}
console.log(JSON.stringify(shown));
