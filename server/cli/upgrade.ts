import path from "node:path";
import { findLabelOutcome, findToolChanges, type LabelOutcome, type MemberChange, type ToolChange } from "@/lib/mcp/tool-changes";
import { terminalText } from "@/lib/terminal-text.mjs";
import type { ToolDefinition } from "@/lib/mcp/definition";
import { systemClock } from "@/server/clock";
import { readEngineEnvironment, readEnv } from "@/server/env";
import { listProgramTools } from "@/server/mcp/programs/list-tools";
import { upgradeProgram, type Changes, type Upgrade } from "@/server/mcp/programs/upgrade";
import { probeIsolation } from "@/server/sandbox/probe";
import { listServersOfProgram, type RegisteredUse } from "@/server/store/mcp/program-updates";
import { closeStore } from "@/server/store/runs/close";
import { parseArguments, parsePair } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { installationOf } from "./installed";
import { formatJsonLine } from "./problem";

type RegisteredServer = {
  readonly workspace: string;
  readonly server: string;
  readonly labels: LabelOutcome;
  readonly review: readonly ToolChange[];
};

const describeServer = ({ workspaceId, server }: RegisteredUse, after: readonly ToolDefinition[]): RegisteredServer => ({
  workspace: workspaceId,
  server: server.id,
  labels: findLabelOutcome(server.tools, after),
  review: findToolChanges(
    server.tools.flatMap(({ pinned }) => pinned ?? []),
    after,
  ),
});

const describeServers = async (id: string, { tools }: Upgrade, host: CliHost): Promise<readonly RegisteredServer[] | null> => {
  const { after } = tools;
  if (!after || !host.openInstalledDatabase()) return null;
  host.defer(closeStore);
  const rows = await listServersOfProgram(id).catch(() => null);

  return rows && rows.map((row) => describeServer(row, after));
};

const MOST_CHARS = 160;

const shown = (value: MemberChange["before"]): string => {
  const text = value === null ? "none" : JSON.stringify(value);

  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)} …` : text;
};

const MARKS = { added: "+", removed: "-", changed: "~" } as const;
const SAYS = { added: "new", removed: "gone", changed: "changed" } as const;

const linesOfTool = ({ tool, kind, members, unlisted, widenings }: ToolChange): readonly string[] => [
  `  ${MARKS[kind]} ${tool}: ${SAYS[kind]}`,
  ...members.map(({ at, before, after }) => `      ${at}: ${shown(before)} -> ${shown(after)}`),
  ...(unlisted === 0 ? [] : [`      and ${unlisted} more`]),
  ...widenings.map((text) => `      ! wider arguments: ${text}`),
];

const linesOfChanges = (heading: string, { added, removed, changed }: Changes): readonly string[] => {
  const lines = [...added.map((text) => `  + ${text}`), ...removed.map((text) => `  - ${text}`), ...changed.map((text) => `  ~ ${text}`)];

  return [heading, ...(lines.length === 0 ? ["  no changes"] : lines)];
};

const linesOfTools = ({ changes, failure }: Upgrade["tools"]): readonly string[] => {
  if (changes === null) return ["Tools", `  not compared: ${failure}`];

  return ["Tools", ...(changes.length === 0 ? ["  no changes"] : changes.flatMap(linesOfTool))];
};

const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

const linesOfServer = ({ workspace, server, labels, review }: RegisteredServer, isWhole: boolean): readonly string[] => [
  `  ${server} (workspace ${workspace})`,
  `      labels kept: ${listed(labels.kept)}`,
  `      not labelled yet (treated as irreversible): ${listed(labels.unlabelled)}`,
  ...(labels.lost.length === 0 ? [] : [`      labels of tools that are gone: ${listed(labels.lost)}`]),
  ...(isWhole
    ? review.flatMap(linesOfTool).map((line) => `    ${line}`)
    : [`      to review: ${listed(review.map(({ tool, kind }) => `${tool} (${SAYS[kind]})`))}`]),
];

const linesOfServers = (servers: readonly RegisteredServer[] | null, isWhole: boolean): readonly string[] => {
  if (servers === null) return [];

  return ["Servers", ...(servers.length === 0 ? ["  none uses it"] : servers.flatMap((each) => linesOfServer(each, isWhole)))];
};

const describeUpgrade = (upgrade: Upgrade, servers: readonly RegisteredServer[] | null): string => {
  const { id, version, digest, dependencies, files, tools } = upgrade;
  const lines = [
    version === null ? id : `${id} ${version.before} -> ${version.after}`,
    `digest ${digest.before} -> ${digest.after}`,
    ...linesOfTools(tools),
    ...linesOfServers(servers, tools.changes === null),
    ...linesOfChanges("Versions", dependencies),
    ...linesOfChanges("Files", files),
  ];

  return `${terminalText(lines.join("\n"))}\n`;
};

export const runUpgradeCommand: CliCommand = async (argv, host) => {
  const args = parseArguments(argv, "ID", {
    version: "string",
    bin: "string",
    image: "string",
    scripts: "boolean",
    yes: "boolean",
    json: "boolean",
    value: "strings",
  });
  if (args.flag("scripts") && !args.flag("yes"))
    throw new CliFailure("--scripts runs install scripts of the package: add --yes, or leave --scripts out to compare first");
  const asked = {
    id: args.operand,
    version: args.text("version"),
    bin: args.text("bin"),
    image: args.text("image"),
    scripts: args.flag("scripts"),
    apply: args.flag("yes"),
  };
  const at = installationOf(host);
  const scratch = path.join(at.home, "scratch");
  const given = Object.fromEntries(args.list("value").map((text) => parsePair("value", text)));
  const isolation = probeIsolation(at.root, scratch, readEnv().COUNTERSIGN_SERVER_UIDS.first);
  const engineEnvironment = readEngineEnvironment();
  const upgrade = await upgradeProgram(asked, {
    at,
    env: host.installerEnvironment,
    engineEnvironment,
    list: (program) =>
      listProgramTools(program, given, { installation: at, scratch, clock: systemClock, isolation: () => isolation, engineEnvironment }),
  });
  const servers = await describeServers(asked.id, upgrade, host);
  const { after: _definitions, ...tools } = upgrade.tools;
  await host.out(args.flag("json") ? formatJsonLine({ ...upgrade, tools, servers }) : describeUpgrade(upgrade, servers));
  await host.err(
    asked.apply
      ? `countersign: ${asked.id} was upgraded. Its servers wait until an admin confirms and reviews the new digest.\n`
      : "countersign: nothing was changed; --yes applies this upgrade\n",
  );

  return 0;
};
