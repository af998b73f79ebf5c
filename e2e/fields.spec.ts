import { expect, type Locator, type Page } from "@playwright/test";
import { faultsOf } from "./axe.ts";
import { addNode, createEmptyGraph, declareKey, fit, node, openPanel, save, selectNode, typeEdge } from "./editor.ts";
import { add, choose, holds } from "./form.ts";
import { signInAs } from "./people.ts";
import { test } from "./test.ts";

const row = (page: Page, name: string): Locator => page.getByRole("group", { name: `Field ${name}`, exact: true });

const pick = async (page: Page, within: Locator, label: string, option: string): Promise<void> => {
  await within.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};

const addField = async (page: Page, suggested: string, name: string): Promise<Locator> => {
  await page.getByRole("button", { name: "Add a field" }).click();
  await row(page, suggested).getByLabel("Field name", { exact: true }).fill(name);

  return row(page, name);
};

const readJson = async (field: Locator): Promise<unknown> => JSON.parse(await field.inputValue());

test("a key and the launch form are built from fields; JSON shows the same schema and loses nothing", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "From fields");
  const json = page.getByLabel("JSON Schema", { exact: true });

  await test.step("fields of a key become its schema", async () => {
    await openPanel(page, "Memory");
    await page.getByRole("button", { name: "Declare a key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("order");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await choose(page, "Type", "Object");
    const id = await addField(page, "field", "id");
    await id.getByLabel("Label", { exact: true }).fill("Order number");
    await pick(page, id, "Type", "Whole number");
    await id.getByLabel("Example", { exact: true }).fill("many");
    await expect(id.getByText("The field does not accept this value.")).toBeVisible();
    await id.getByLabel("Example", { exact: true }).fill("17");
    const day = await addField(page, "field", "day");
    await pick(page, day, "Type", "Date");
    await day.getByRole("checkbox", { name: "Required" }).click();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    expect(await readJson(json)).toEqual({
      type: "object",
      properties: { id: { type: "integer", title: "Order number", examples: [17] }, day: { type: "string", format: "date" } },
      required: ["id"],
    });
  });

  await test.step("what no field shows is kept", async () => {
    const odd = { oneOf: [{ type: "string" }, { type: "null" }] };
    await json.fill(JSON.stringify({ type: "object", minProperties: 1, properties: { id: { type: "integer", multipleOf: 2 }, odd } }));
    await page.getByRole("button", { name: "Edit as fields" }).click();
    await expect(row(page, "odd").getByLabel("JSON Schema of odd")).toBeVisible();
    await row(page, "id").getByRole("checkbox", { name: "Required" }).click();
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    expect(await readJson(json)).toEqual({
      type: "object",
      minProperties: 1,
      properties: { id: { type: "integer", multipleOf: 2 }, odd },
      required: ["id"],
    });
  });

  await test.step("the launch form suggests keys and is saved", async () => {
    await openPanel(page, "Graph");
    await page.getByRole("button", { name: "Add a field" }).click();
    await expect(row(page, "order").getByLabel("Field name", { exact: true })).toHaveValue("order");
    await pick(page, row(page, "order"), "Type", "One of a list");
    await add(page, "Choices of order", "maybe");
    await save(page);
    await page.reload();
    await openPanel(page, "Graph");
    await expect(row(page, "order").getByRole("list", { name: "Choices of order" })).toContainText("maybe");
    expect(await faultsOf(page)).toEqual([]);
  });
});

test("a tool's arguments are inferred, or mapped from an earlier step", async ({ page }) => {
  await signInAs(page, "builder");
  await createEmptyGraph(page, "Arguments");
  await declareKey(page, "plan", '{"type":"string"}');
  await declareKey(page, "draft", '{"type":"string"}');
  await addNode(page, "Agent", "writer");
  await add(page, "May write", "draft");
  await addNode(page, "Tool", "calls");
  await choose(page, "Tool", /update_plan/);
  await holds(page, "Path for plan", "plan");
  await holds(page, "Path for customer_id", "customer_id");
  await expect(page.getByRole("button", { name: "Infer from the tool" })).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByRole("button", { name: "Map plan from an earlier step" })).toHaveAttribute("aria-disabled", "true");
  await fit(page);
  await typeEdge(page, node(page, /^Agent writer/), "calls");
  await selectNode(page, /^Tool Update plan/, "calls");
  await page.getByRole("button", { name: "Map plan from an earlier step" }).click();
  await page.getByRole("menuitem", { name: /draft/ }).click();
  await holds(page, "Path for plan", "draft");
});
