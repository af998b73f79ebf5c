/** For specs that don't test drawing. */
import { expect, type Page } from "@playwright/test";

export type Wish = {
  readonly name: string;
  readonly description?: string;
  /** `request` and `write_result` exist. */
  readonly reads: readonly string[];
  readonly instructions?: string;
};

/** Valid, with one demo agent. */
export const describeGraph = ({ name, description = "", reads, instructions = "Answer briefly." }: Wish): string =>
  JSON.stringify({
    format: "countersign/graph/v1",
    id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
    name,
    description,
    inputs: {
      type: "object",
      properties: { request: { type: "string" }, write_result: { type: "string" } },
      required: ["request", "write_result"],
      additionalProperties: false,
    },
    memory: ["request", "write_result", "reply_draft"].map((key) => ({ key, schema: { type: "string" } })),
    nodes: [
      {
        id: "think",
        title: "Think",
        kind: "agent",
        read_keys: reads,
        write_keys: ["reply_draft"],
        budget: { max_tokens: 50_000 },
        config: { agent_id: "writer", instructions },
      },
    ],
    edges: [],
    start_node: "think",
    end_nodes: ["think"],
    max_token_budget: 100_000,
  });

/** @returns its address */
export const importText = async (page: Page, name: string, text: string): Promise<string> => {
  await page.goto("/graphs");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a graph" });
  await dialog.getByLabel("JSON or YAML").fill(text);
  await dialog.getByRole("button", { name: "Create new graph" }).click();
  await page.waitForURL(/\/graphs\/[0-9a-f-]{36}/);
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  return new URL(page.url()).pathname;
};

/** @returns its address */
export const importNew = (page: Page, wish: Wish): Promise<string> => importText(page, wish.name, describeGraph(wish));

export const importHere = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog", { name: "Import a graph" });
  await dialog.getByLabel("JSON or YAML").fill(text);
  await dialog.getByRole("button", { name: "Replace this draft" }).click();
  await expect(dialog).toBeHidden();
};
