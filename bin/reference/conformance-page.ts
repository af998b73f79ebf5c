import { readFile } from "node:fs/promises";
import path from "node:path";
import { renderPage, type Page } from "./page";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

const ABOUT =
  "Scenarios of the official suite (`@modelcontextprotocol/conformance`) that do not apply to a graph's MCP endpoint, or checks of one, with the reason. All others pass; `server/outside/conformance/official.db.test.ts` runs them, and fails when one of these passes.";

const renderRevision = (revision: string, list: string): string => {
  const [, ...groups] = list.split("server:")[1]?.split(/^ {2}# /m) ?? [];
  const lines = groups.map((group) => {
    const [reason = "", ...entries] = group.trim().split("\n");

    return `- ${reason} ${entries.map((entry) => `\`${entry.replace(/^\s*- /, "")}\``).join(", ")}.`;
  });

  return `## Revision ${revision}\n\n${lines.join("\n")}`;
};

export const buildConformancePage = async (root: string): Promise<Page> => {
  const parts = await Promise.all(
    REVISIONS.map(async (revision) =>
      renderRevision(revision, await readFile(path.join(root, "server/outside/conformance", `not-applicable-${revision}.yaml`), "utf8")),
    ),
  );

  return {
    file: "mcp-conformance.md",
    title: "MCP conformance",
    about: "Scenarios of the official conformance suite that do not apply, with the reason.",
    text: renderPage("MCP conformance", ABOUT, parts.join("\n\n")),
  };
};
