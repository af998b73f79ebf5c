import { displayJson } from "@/components/values/json-display";
import { Callout } from "@/components/ui/callout";
import { Mark } from "@/components/ui/marks/mark";
import { CONSOLE_REFUSALS, type ConsoleAnswer } from "@/lib/mcp/console";
import { isJsonObject, type Json } from "@/lib/json";

const isEmpty = (result: Json): boolean => {
  if (result === null || result === "") return true;
  const content = isJsonObject(result) && Object.keys(result).length === 1 ? result["content"] : result;

  return Array.isArray(content) ? content.length === 0 : isJsonObject(content) && Object.keys(content).length === 0;
};

export const ConsoleAnswerView = ({ answer }: { readonly answer: ConsoleAnswer }) => {
  if (answer.status === "refused") return <Callout kind="refused" alert title={CONSOLE_REFUSALS[answer.code]} />;

  return (
    <section aria-label="Response" className="flex min-w-0 flex-col gap-2">
      <output className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <Mark kind={answer.status === "ok" ? "clean" : "refused"}>
          {answer.status === "ok" ? (isEmpty(answer.result) ? "Empty response" : "Answered") : "Tool error"}
        </Mark>
        <Mark kind="tainted">Untrusted</Mark>
        <span className="tabular-nums">{answer.ms} ms</span>
        <span className="tabular-nums">Ledger record {answer.record}</span>
      </output>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
        tabIndex={0}
        aria-label="Server response"
        className="max-h-80 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {displayJson(answer.result)}
      </pre>
    </section>
  );
};
