/** Refusals, events and the flat state. */
import { EVENTS } from "@/lib/engine/events/catalogue";
import { workflowStateSchema } from "@/lib/engine/workflow-state";
import type { JsonObject } from "@/lib/json";
import { REFUSALS, type RefusalCode } from "@/lib/refusal";
import type { DescribeField } from "./comments";
import { renderFieldTable, convertSchema, renderTable } from "./fields";
import { renderPage, type Page } from "./page";
import { REFUSAL_REMEDIES } from "./refusals";
import { STATE_TEXTS } from "./texts";

const refusalsPage = (): Page => {
  const about = "Codes of refused proposals, with cause and remedy.";

  return {
    file: "refusals.md",
    title: "Refusals",
    about,
    text: renderPage(
      "Refusals",
      `${about} Every refusal is a record of the run's ledger. "Retry": the same request can succeed later.`,
      renderTable(
        ["code", "retry", "cause", "remedy"],
        (Object.keys(REFUSALS) as RefusalCode[]).map((code) => [
          `\`${code}\``,
          REFUSALS[code].retry ? "yes" : "no",
          REFUSALS[code].message,
          REFUSAL_REMEDIES[code],
        ]),
      ),
    ),
  };
};

const withoutType = (schema: JsonObject): JsonObject => {
  const { type: _type, ...properties } = schema["properties"] as JsonObject;

  return { ...schema, properties };
};

const eventsPage = (describe: DescribeField): Page => {
  const about = "Events of accepted records, with their fields.";
  const sections = Object.entries(EVENTS).map(([type, entry]) => {
    const schema = withoutType(convertSchema(entry.schema, describe));
    const isEmpty = Object.keys(schema["properties"] as JsonObject).length === 0;

    return [`## ${type}`, entry.about, ...(isEmpty ? [] : [renderFieldTable(schema, "read")])].join("\n\n");
  });

  return {
    file: "events.md",
    title: "Ledger events",
    about,
    text: renderPage(
      "Ledger events",
      `${about} Events carry no values; values are cells beside the records. Times are milliseconds since 1970.`,
      ...sections,
    ),
  };
};

const statePage = (describe: DescribeField): Page => {
  const about = "Fields of a run's flat state.";
  const describeState: DescribeField = (name, siblings) =>
    siblings.includes("workflow_id") && name in STATE_TEXTS ? STATE_TEXTS[name as keyof typeof STATE_TEXTS] : describe(name, siblings);

  return {
    file: "workflow-state.md",
    title: "WorkflowState",
    about,
    text: renderPage(
      "WorkflowState",
      `${about} Every field is computed from the records. Times are ISO 8601.`,
      renderFieldTable(convertSchema(workflowStateSchema, describeState), "read"),
    ),
  };
};

export const buildLedgerPages = (describe: DescribeField): readonly Page[] => [refusalsPage(), eventsPage(describe), statePage(describe)];
