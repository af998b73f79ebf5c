import { parseArguments } from "./arguments";
import type { CliCommand } from "./host";
import { deliver, openSigner, openVault, useInstalledDatabase } from "./installed";
import { findInstalledRun } from "./installed-run";
import { openRemoteOf, REMOTE_OPTIONS } from "./remote/client";
import { buildRunExport, describeOpened } from "./run-export";

export const exportCommand: CliCommand = async (argv, host) => {
  if (argv.includes("--workspace")) return (await import("./export-workspace")).exportWorkspaceCommand(argv, host);
  const args = parseArguments(argv, "RUN", { out: "string", ...REMOTE_OPTIONS });
  const { operand, text } = args;
  const remote = openRemoteOf(args, host);
  if (remote) {
    await deliver(host, await remote.exportRun(operand), text("out"), " (values that a viewer may see)");

    return 0;
  }
  useInstalledDatabase(host);
  const found = await findInstalledRun(operand);
  const signer = openSigner(host.home);
  const { document, underReview } = await buildRunExport(openVault(host.home), found, signer);
  if (signer === null) await host.err("countersign: warning: cannot read the signing key, so the export is not signed as a whole\n");
  await deliver(host, `${JSON.stringify(document)}\n`, text("out"), describeOpened(underReview));

  return 0;
};
