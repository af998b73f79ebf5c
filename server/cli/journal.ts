import { existsSync } from "node:fs";
import path from "node:path";
import { systemClock } from "@/server/clock";
import { JournalRefused } from "@/server/security/journal/files";
import { inspectJournal } from "@/server/security/journal/journal";
import { leaveNotice } from "@/server/security/journal/notice";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { noInstallation } from "./installed";
import { formatJsonLine } from "./problem";

export const runJournalCommand: CliCommand = async (argv, host) => {
  const { flag } = parseArguments(argv, null, { accept: "boolean" });
  if (!existsSync(path.join(host.home, "keys"))) throw noInstallation(host.home);
  if (flag("accept")) leaveNotice([host.home], "accepted");
  const report = await inspectJournal(host.home, systemClock.now()).catch((error: unknown) => {
    throw new CliFailure(error instanceof JournalRefused ? error.message : `cannot read the journal in ${host.home}`, error);
  });
  if (flag("accept")) await host.err("countersign: accepted. The runner continues with the readable part when it next starts.\n");
  await host.out(formatJsonLine({ ...report }));

  return 0;
};
