/** CLI, MCP tools, webhooks, settings and metrics. */
import path from "node:path";
import type { JsonObject } from "@/lib/json";
import { webhookPayloadSchema } from "@/lib/webhooks/payload";
import { runCli } from "@/server/cli/main";
import type { CliHost } from "@/server/cli/host";
import { buildOpenApi } from "@/server/api/openapi";
import { collectRunnerMetrics, collectWebMetrics } from "@/server/metrics";
import { envSchema, type Env } from "@/server/env";
import type { Caller } from "@/server/outside/caller";
import { TOOLS } from "@/server/outside/tools";
import type { DescribeField } from "./comments";
import { renderFieldTable, convertSchema, renderTable, withDescriptions } from "./fields";
import { formatJson, renderPage, type Page } from "./page";
import { SETTING_TEXTS } from "./texts";

const cliPage = async (): Promise<Page> => {
  let usage = "";
  const host = { out: async (text: string) => void (usage += text) } as Partial<CliHost> as CliHost;
  await runCli(["help"], host);
  const about = "Commands and options of `npx countersign`.";

  return {
    file: "cli.md",
    title: "Command line",
    about,
    text: renderPage(
      "Command line",
      `${about} Results are JSON on standard output, messages go to standard error. The exit code is 0 on success and 1 otherwise. How to use them: [Operating](../operating/command-line.md).`,
      `\`\`\`text\n${usage.trimEnd()}\n\`\`\``,
    ),
  };
};

/** Tool schemas name the graph's actions. */
const NO_GRAPH = { graph: { published: { graph: { start_node: "", nodes: [], edges: [] } } } } as unknown as Caller;

const toolsPage = (describe: DescribeField): Page => {
  const about = "Tools that Countersign offers to outside agents at `/api/mcp/<workspace>/<graph>`.";
  const sections = TOOLS.map((tool) => {
    const schema = withDescriptions(tool.inputSchema(NO_GRAPH), describe) as JsonObject;

    return [
      `## ${tool.name}`,
      `${tool.title}. ${tool.description}`,
      `Scope of the token: \`${tool.scope}\`.`,
      renderFieldTable(schema),
    ].join("\n\n");
  });

  return { file: "mcp-tools.md", title: "MCP tools", about, text: renderPage("MCP tools", about, ...sections) };
};

const apiPage = (): Page => ({
  file: "openapi.json",
  title: "HTTP API",
  about: "OpenAPI document of `/api/v1`, for service accounts.",
  text: formatJson(buildOpenApi()),
});

const webhooksPage = (describe: DescribeField): Page => {
  const about = "Types of webhook deliveries, with their fields.";
  const sections = webhookPayloadSchema.options.map((option) =>
    [`## ${option.shape.type.value}`, renderFieldTable(convertSchema(option.shape.data, describe), "read")].join("\n\n"),
  );

  return {
    file: "webhooks.md",
    title: "Webhooks",
    about,
    text: renderPage(
      "Webhooks",
      `${about} The body is \`{"type", "timestamp", "data"}\`; the tables list \`data\`. Deliveries are signed as Standard Webhooks: [Operating](../operating/connections.md#webhooks).`,
      ...sections,
    ),
  };
};

const defaultOf = (name: keyof Env): string => {
  const parsed = envSchema.shape[name].safeParse(undefined);
  const value: unknown = parsed.success ? parsed.data : undefined;
  if (name === "COUNTERSIGN_HOME") return `\`${path.relative(process.cwd(), String(value))}\``;
  if (value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)) return "none";
  if (typeof value === "object" && "first" in value && "last" in value) return `\`${String(value.first)}-${String(value.last)}\``;

  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
};

const settingsPage = (): Page => {
  const about = "Environment variables.";
  const names = (Object.keys(envSchema.shape) as (keyof Env)[]).toSorted();

  return {
    file: "settings.md",
    title: "Settings",
    about,
    text: renderPage(
      "Settings",
      `${about} An empty variable counts as not set. A malformed one stops the process with its name.`,
      renderTable(
        ["variable", "default", "meaning"],
        names.map((name) => [`\`${name}\``, defaultOf(name), SETTING_TEXTS[name]]),
      ),
    ),
  };
};

const HELP = /^# HELP (countersign_(\S+)) (.+)$/gmu;

const metricsPage = async (labels: ReadonlyMap<string, readonly string[]>): Promise<Page> => {
  await collectRunnerMetrics(null);
  const { text } = await collectWebMetrics();
  const about = "Prometheus metrics of runner and web.";
  const rows = [...text.matchAll(HELP)].map(([, name = "", short = "", help = ""]) => {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, "mu").exec(text)?.[1] ?? "";

    return [`\`${name}\``, type, (labels.get(short) ?? []).map((label) => `\`${label}\``).join(", "), help];
  });

  return {
    file: "metrics.md",
    title: "Metrics",
    about,
    text: renderPage(
      "Metrics",
      `${about} Beside these, each process shows the default metrics of Node (\`process_*\`, \`nodejs_*\`). Where to read them: [Operating](../operating/monitoring.md#metrics).`,
      renderTable(
        ["name", "type", "labels", "meaning"],
        rows.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
      ),
    ),
  };
};

export const buildInterfacePages = async (
  describe: DescribeField,
  labels: ReadonlyMap<string, readonly string[]>,
): Promise<readonly Page[]> => [
  await cliPage(),
  toolsPage(describe),
  apiPage(),
  webhooksPage(describe),
  settingsPage(),
  await metricsPage(labels),
];
