import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { withArtifacts, type Artifact } from "@/lib/artifact";
import { CLEAN, type Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { CellFiles, FilesContext } from "./cell-files";

const FILE: Artifact = {
  $artifact: "a".repeat(64),
  id: "00000000-0000-4000-8000-000000000001",
  mediaType: "application/pdf",
  size: 1_300_000,
  name: "bill.pdf",
};
const OWN = withArtifacts(CLEAN, [FILE]);

const render = (value: Json, label: Label, runId: string | null = "run"): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <FilesContext value={runId}>
        <CellFiles shown={{ kind: "value", value }} label={label} seq={1} index={0} />
      </FilesContext>
    </QueryClientProvider>,
  );

test("offers the files of a cell by name, type and size", () => {
  const html = render({ list: [FILE] }, OWN);
  for (const text of ["bill.pdf", "PDF, 1.3 MB", "Download"]) expect(html).toContain(text);
});

test.each([
  ["whose label does not vouch for the file", FILE, CLEAN, "run"],
  ["with another name than its label vouches for", { ...FILE, name: "payroll.pdf" }, OWN, "run"],
  ["of a bundle, which has no bytes", FILE, OWN, null],
])("offers nothing for a cell %s", (_, value, label, runId) => {
  expect(render(value, label, runId)).toBe("");
});
