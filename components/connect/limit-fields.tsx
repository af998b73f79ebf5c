import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { TokenLimits } from "@/lib/outside/token-limits";
import type { LimitTexts } from "./token-limits";

const FIELDS = [
  { limit: "runs", label: "Runs" },
  { limit: "sessions", label: "Sessions" },
  { limit: "micro_usd", label: "Cost (US dollars)" },
] as const satisfies readonly { readonly limit: keyof TokenLimits; readonly label: string }[];

type Props = {
  readonly texts: LimitTexts;
  readonly problems: Readonly<Record<keyof TokenLimits, string | null>>;
  readonly onChange: (texts: LimitTexts) => void;
};

export const LimitFields = ({ texts, problems, onChange }: Props) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">Limits per 24 hours</legend>
    <div className="grid gap-3 sm:grid-cols-3">
      {FIELDS.map(({ limit, label }) => (
        <Field key={limit} label={label} error={problems[limit]}>
          <Input
            autoComplete="off"
            inputMode={limit === "micro_usd" ? "decimal" : "numeric"}
            value={texts[limit]}
            onChange={(event) => onChange({ ...texts, [limit]: event.target.value })}
          />
        </Field>
      ))}
    </div>
    <p className="mt-1 text-xs text-muted">
      Forks and resets count as runs. Model costs count while a run is active and for 24 hours after.
    </p>
  </fieldset>
);
