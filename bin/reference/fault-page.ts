import { FAULT_MODES, type FaultOutcome } from "@/server/models/testing/fault-modes";
import { renderPage, type Page } from "./page";

const ABOUT =
  "What a run makes of each fault of a model or its provider. `server/models/faults.db.test.ts` plays them against the Support desk.";

const CAUSES: Readonly<Record<string, string>> = { rate_limited: "rate limited", unreachable: "unreachable", failing: "failing" };

const describeOutcome = ({ end, waits = [], failures = [], checks = 0 }: FaultOutcome): string =>
  [
    ...(waits.length === 0 ? [] : [`waits (${waits.map((cause) => CAUSES[cause] ?? cause).join(", ")})`]),
    ...(checks === 0 ? [] : [`told what did not fit (${checks}×)`]),
    ...(failures.length === 0 || end !== "completed" ? [] : [`attempt fails (\`${failures.join("`, `")}\`), another follows`]),
    end === "completed" ? "completes" : `fails (\`${end}\`)`,
  ].join("; ");

/** Builds the table of fault modes. */
export const buildFaultPage = (): Page => {
  const rows = FAULT_MODES.map(({ name, outcome }) => `| ${name} | ${describeOutcome(outcome)} |`);
  const table = ["| fault | run |", "| --- | --- |", ...rows].join("\n");

  return {
    file: "model-faults.md",
    title: "Model faults",
    about: "Outcome of each fault of a model or provider.",
    text: renderPage("Model faults", ABOUT, table),
  };
};
