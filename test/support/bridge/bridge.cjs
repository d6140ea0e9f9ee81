// Lets end-to-end tests call into an extension host. Part of the tests only: it runs whatever it is sent.
const { randomUUID } = require("node:crypto");
const { renameSync, rmSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { text } = require("node:stream/consumers");
const path = require("node:path");
const process = require("node:process");
const vscode = require("vscode");

const folder = process.env.BATCH_CONTROL_TEST_BRIDGES;

exports.activate = async (context) => {
  if (!folder) return;
  const token = randomUUID();
  const server = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(403).end();
    void answer(request).then((body) => response.end(JSON.stringify(body)));
  });
  server.requestTimeout = 0;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const file = path.join(folder, `${process.pid}.json`);
  context.subscriptions.push({ dispose: () => (server.close(), rmSync(file, { force: true })) });
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const open = workspaceFile?.fsPath ?? workspaceFolders[0]?.uri.fsPath ?? null;
  // Renamed into place, so that nobody reads half of it.
  writeFileSync(
    `${file}.part`,
    JSON.stringify({ pid: process.pid, port: server.address().port, token, open }),
  );
  renameSync(`${file}.part`, file);
};

async function answer(request) {
  try {
    const { source, argument } = JSON.parse(await text(request));
    const call = new Function("host", "argument", `return (${source})(host, argument)`);
    return { value: await call({ vscode, api: await productApi() }, argument) };
  } catch (error) {
    const { name, message, stack, ...rest } = error instanceof Error ? error : new Error(String(error));
    return {
      error: {
        name: error?.name ?? name,
        message: error?.message ?? message,
        stack: error?.stack ?? stack,
        rest,
      },
    };
  }
}

async function productApi() {
  const extension = vscode.extensions.getExtension("batch-control.batch-control");
  return extension?.activate();
}
