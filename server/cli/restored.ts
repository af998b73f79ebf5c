import { uuidSchema } from "@/lib/ids";
import { listHeldRuns, releaseHeld } from "@/server/store/runs/restored";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { awaitAnswer, useInstalledDatabase } from "./installed";
import { formatJsonLine } from "./problem";

export const runRestoredCommand: CliCommand = async (argv, host) => {
  const { text, flag } = parseArguments(argv, null, { release: "string", "release-all": "boolean" });
  const run = text("release");
  if (run !== null && flag("release-all")) throw new CliFailure("use either --release RUN or --release-all, not both");
  if (run !== null && !uuidSchema.safeParse(run).success) throw new CliFailure("--release expects a run ID");
  useInstalledDatabase(host);
  const released = run !== null || flag("release-all") ? await awaitAnswer(releaseHeld(run === null ? null : [run])) : [];
  if (run !== null && released.length === 0) throw new CliFailure(`run ${run} is not held`);
  await host.out(formatJsonLine({ released, held: await awaitAnswer(listHeldRuns()) }));

  return 0;
};
