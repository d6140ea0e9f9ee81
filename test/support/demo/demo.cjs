// Shows the walkthrough when the demo's window opens, as VS Code does after an installation from the marketplace.
const vscode = require("vscode");

exports.activate = async () => {
  const extension = vscode.extensions.getExtension("batch-control.batch-control");
  for (const { id } of extension?.packageJSON.contributes.walkthroughs ?? []) {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#${id}`, false);
  }
};
