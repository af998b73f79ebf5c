import { readFile } from "node:fs/promises";
import path from "node:path";
import { interopResultsSchema, type InteropResult } from "@/bench/interop/result";
import { renderPage, type Page } from "./page";

const KINDS = { npm: "npm", python: "Python", remote: "Streamable HTTP" } as const satisfies Record<InteropResult["kind"], string>;

const escaped = (text: string): string => text.replaceAll(/[|\\<>`*_[\]]/g, (mark) => `\\${mark}`);

const renderRow = ({ kind, name, version, tools, failure }: InteropResult): string =>
  failure === null
    ? `| ${KINDS[kind]} | \`${name}\` | ${version ?? ""} | ${tools} | in use |`
    : `| ${KINDS[kind]} | \`${name}\` | | | ${escaped(failure)} |`;

const count = (results: readonly InteropResult[], kind: InteropResult["kind"]): string => {
  const tried = results.filter((result) => result.kind === kind);

  return `${tried.filter(({ failure }) => failure === null).length} of ${tried.length} ${KINDS[kind]} servers`;
};

export const buildServersPage = async (root: string): Promise<Page> => {
  const { day, pythonIndex, results } = interopResultsSchema.parse(
    JSON.parse(await readFile(path.join(root, "bench/interop/results.json"), "utf8")),
  );
  const summary = `On ${day}, \`npm run interop\` installed public MCP servers as an operator does, and registered, labelled, pinned and activated them as an admin does: ${count(results, "npm")}, ${count(results, "python")} and ${count(results, "remote")}, which ran on a private address. Programs ran in the sandbox without network, with a stand-in for each key.`;
  const python = pythonIndex
    ? ""
    : " No Python index was reachable: those packages came from wheels that were built from their published sources, most with version 1 of the Python SDK (`mcp<2`).";
  const rows = Object.keys(KINDS).flatMap((kind) => results.filter((result) => result.kind === kind));
  const table = ["| kind | server | version | tools | result |", "| --- | --- | --- | --- | --- |", ...rows.map(renderRow)];

  return {
    file: "mcp-servers.md",
    title: "MCP servers",
    about: "Public MCP servers that were tried, with the result of each.",
    text: renderPage("MCP servers", `${summary}${python}`, table.join("\n")),
  };
};
