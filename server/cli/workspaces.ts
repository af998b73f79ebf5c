import { systemClock } from "@/server/clock";
import { ownOrigin } from "@/server/own-origin";
import { createSetupToken } from "@/server/runner/setup-link";
import { listWorkspacesWithMembers } from "@/server/store/workspaces/listing";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, useInstalledDatabase } from "./installed";
import { formatJsonLine } from "./problem";

const list = async (host: CliHost): Promise<void> => {
  for (const { id, name, demo, members, createdAt } of await awaitAnswer(listWorkspacesWithMembers())) {
    await host.out(formatJsonLine({ workspace: id, name, demo, members, created_at: createdAt.toISOString() }));
  }
};

const create = async (host: CliHost, url: string | null): Promise<void> => {
  if (url !== null && URL.parse(url) === null) throw new CliFailure("--url expects the address of this installation");
  const { token, expiresAt } = await awaitAnswer(createSetupToken(systemClock));
  const origin = url === null ? ownOrigin() : new URL(url).origin;
  await host.out(formatJsonLine({ link: `${origin}/setup?token=${token}`, expires_at: expiresAt.toISOString() }));
};

export const runWorkspacesCommand: CliCommand = async (argv, host) => {
  const [verb = "list", ...rest] = argv;
  if (verb !== "list" && verb !== "create") throw new CliFailure(`unknown command "workspaces ${verb}": use list or create`);
  const { text } = parseArguments(rest, null, verb === "create" ? { url: "string" } : {});
  useInstalledDatabase(host);
  await (verb === "list" ? list(host) : create(host, text("url")));

  return 0;
};
