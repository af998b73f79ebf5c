import path from "node:path";
import { parseSources } from "@/bin/prose/sources";
import { buildOpenApi } from "@/server/api/openapi";
import { readFieldComments, readMetricLabels } from "./comments";
import { buildConformancePage } from "./conformance-page";
import { buildFaultPage } from "./fault-page";
import { buildGraphPages } from "./graph-pages";
import { buildInterfacePages } from "./interface-pages";
import { buildLedgerPages } from "./ledger-pages";
import { renderPage } from "./page";
import { renderPythonClient } from "./python-client";
import { buildServersPage } from "./servers-page";

const buildPages = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const { describe, labels } = parseSources("bin/reference/schemas.tsconfig.json", root, (files) => {
    const metrics = files.get(path.join("server", "metrics.ts"));

    return {
      describe: readFieldComments(files.values()),
      labels: metrics ? readMetricLabels(metrics) : new Map<string, readonly string[]>(),
    };
  });
  const pages = [
    ...buildGraphPages(describe),
    ...buildLedgerPages(describe),
    ...(await buildInterfacePages(describe, labels)),
    buildFaultPage(),
    await buildConformancePage(root),
    await buildServersPage(root),
  ];
  const index = renderPage(
    "Reference",
    "Built from the code by `npm run reference`; a test fails when a page is stale.",
    pages.map(({ file, title, about }) => `- [${title}](${file}): ${about}`).join("\n"),
  );

  return new Map([["README.md", `${index}\n`], ...pages.map(({ file, text }) => [file, `${text.trimEnd()}\n`] as const)]);
};

export const PYTHON_CLIENT = "clients/python/src/countersign/_api.py";

export const buildFiles = async (root: string): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ...[...(await buildPages(root))].map(([name, text]) => [`docs/reference/${name}`, text] as const),
    [PYTHON_CLIENT, renderPythonClient(buildOpenApi())],
  ]);
