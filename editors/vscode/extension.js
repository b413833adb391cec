// Starts job-lsp-server for .mlir files.
"use strict";

const path = require("path");
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** The server's path as the settings have it, with the folder filled in. */
function getServerPath(settings) {
  const folders = vscode.workspace.workspaceFolders || [];
  const serverPath = settings.get("serverPath") || "job-lsp-server";
  if (!folders.length) return serverPath;
  const folder = folders[0].uri.fsPath;
  const filled = serverPath.replace("${workspaceFolder}", folder);
  // A name alone is looked up in PATH.
  return /[\\/]/.test(filled) ? path.resolve(folder, filled) : filled;
}

async function start() {
  const settings = vscode.workspace.getConfiguration("jobmlir");
  const server = {
    command: getServerPath(settings),
    args: settings.get("serverArguments") || [],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient("jobmlir", "JobMLIR", { run: server, debug: server }, {
    documentSelector: [{ scheme: "file", language: "mlir" }],
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `job-lsp-server does not start: ${error.message}. ` +
        "The setting jobmlir.serverPath has its path.",
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("jobmlir.restartServer", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("jobmlir")) return restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
