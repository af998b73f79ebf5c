import { once } from "node:events";
import { finished } from "node:stream/promises";
import { uuidSchema } from "@/lib/ids";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { workspaceLines } from "@/server/store/workspaces/export";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, noWorkspace, openOutput, useInstalledDatabase, workspaceNotFound } from "./installed";

const chosen = async (id: string | null): Promise<string> => {
  const all = await awaitAnswer(listAllWorkspaces());
  if (id !== null) {
    if (!uuidSchema.safeParse(id).success || !all.includes(id)) throw workspaceNotFound(id);

    return id;
  }
  const [only, ...others] = all;
  if (only === undefined) throw noWorkspace();
  if (others.length > 0) throw new CliFailure(`this installation has ${all.length} workspaces: choose one with --id (${all.join(", ")})`);

  return only;
};

const toFile = async (lines: AsyncIterable<string>, file: string, host: CliHost): Promise<void> => {
  try {
    const stream = (await openOutput(file)).createWriteStream();
    for await (const line of lines) {
      if (!stream.write(line)) await once(stream, "drain");
    }
    stream.end();
    await finished(stream);
  } catch (error) {
    throw new CliFailure(`cannot write ${file}`, error);
  }
  await host.err(`countersign: wrote ${file} (all records, no values)\n`);
};

export const exportWorkspaceCommand: CliCommand = async (argv, host) => {
  const { text } = parseArguments(argv, null, { workspace: "boolean", id: "string", out: "string" });
  useInstalledDatabase(host);
  const lines = workspaceLines(await chosen(text("id")));
  const file = text("out");
  if (file !== null) await toFile(lines, file, host);
  else for await (const line of lines) await host.out(line);

  return 0;
};
