"use client";

import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { count, formatMoney } from "@/lib/format";
import type { Graph } from "@/lib/graph/document";
import type { Budget, BudgetTexts } from "./budget";

type Props = {
  readonly graph: Graph;
  readonly texts: BudgetTexts;
  readonly problems: Budget["problems"];
  readonly onChange: (texts: BudgetTexts) => void;
};

const MICRO = 1_000_000;

export const BudgetFields = ({ graph, texts, problems, onChange }: Props) => (
  <>
    <h3 className="text-sm font-semibold">Budget of this run</h3>
    <Field
      label="Tokens"
      error={problems.tokens}
      hint={graph.max_token_budget === undefined ? "The version sets no limit." : `The version allows ${count(graph.max_token_budget)}.`}
    >
      <Input
        inputMode="numeric"
        value={texts.tokens}
        placeholder={graph.max_token_budget === undefined ? "No limit" : String(graph.max_token_budget)}
        onChange={(event) => onChange({ ...texts, tokens: event.target.value })}
      />
    </Field>
    <Field
      label="US dollars"
      error={problems.usd}
      hint={graph.budget_usd === undefined ? "The version sets no limit." : `The version allows ${formatMoney(graph.budget_usd * MICRO)}.`}
    >
      <Input
        inputMode="decimal"
        value={texts.usd}
        placeholder={graph.budget_usd === undefined ? "No limit" : String(graph.budget_usd)}
        onChange={(event) => onChange({ ...texts, usd: event.target.value })}
      />
    </Field>
  </>
);
