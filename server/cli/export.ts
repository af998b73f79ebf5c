import { parseArguments } from "./arguments";
import type { CliCommand } from "./host";
import { deliver, openSigner, openVault, useInstalledDatabase } from "./installed";
import { findInstalledRun } from "./installed-run";
import { buildRunExport, describeOpened } from "./run-export";

export const exportCommand: CliCommand = async (argv, host) => {
  if (argv.includes("--workspace")) return (await import("./export-workspace")).exportWorkspaceCommand(argv, host);
  const { operand, text } = parseArguments(argv, "RUN", { out: "string" });
  useInstalledDatabase(host);
  const found = await findInstalledRun(operand);
  const signer = openSigner(host.home);
  const { document, underReview } = await buildRunExport(openVault(host.home), found, signer);
  if (signer === null) await host.err("countersign: warning: cannot read the signing key, so the export is not signed as a whole\n");
  await deliver(host, `${JSON.stringify(document)}\n`, text("out"), describeOpened(underReview));

  return 0;
};
