import { Mark } from "@/components/ui/marks/mark";
import { cn } from "@/components/ui/cn";
import { displayJson } from "@/components/values/json-display";
import { toVisibleText } from "@/components/values/visible-text";
import type { FieldRow, Standing } from "./field-rows";
import { describeRule } from "./rule-text";

const MARK = {
  passes: { kind: "clean", text: "Passes" },
  fails: { kind: "refused", text: "Fails" },
  left_out: { kind: "hidden", text: "Omitted" },
  no_rule: { kind: "refused", text: "No rule" },
} as const satisfies Record<Standing, { readonly kind: "clean" | "refused" | "hidden"; readonly text: string }>;

const whereText = ({ places, value }: FieldRow): string => {
  if (value === undefined) return "";
  if (places.length === 0) return "not found verbatim";
  const paths = [...new Set(places.map(({ path }) => path))].filter((path) => path !== "");

  return `found ${places.length === 1 ? "once" : `${places.length} times`}${paths.length === 0 ? "" : ` in ${paths.join(", ")}`}`;
};

const Where = ({ row, isShown, onShow }: { readonly row: FieldRow; readonly isShown: boolean; readonly onShow: () => void }) =>
  row.places.length === 0 ? (
    <span className="text-xs text-muted">{whereText(row)}</span>
  ) : (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={cn(
        "rounded-sm text-left text-xs underline underline-offset-2 hover:text-ink",
        isShown ? "font-medium text-accent" : "text-muted",
      )}
    >
      {whereText(row)}
    </button>
  );

const valueText = (row: FieldRow): string => {
  if (row.value === undefined) return "";

  return typeof row.value === "string" ? toVisibleText(row.value) : displayJson(row.value);
};

type Props = {
  readonly rows: readonly FieldRow[];
  readonly hasSource: boolean;
  readonly hasJudge: boolean;
  readonly shown: string | null;
  readonly onShow: (field: string) => void;
};

export const FieldTable = ({ rows, hasSource, hasJudge, shown, onShow }: Props) => (
  <ul aria-label="Fields">
    {rows.map((row) => (
      <li key={row.name} className="flex flex-col gap-1 border-b px-3 py-2 last:border-b-0">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-mono text-xs font-medium">{toVisibleText(row.name)}</span>
          {hasJudge ? <Mark kind={MARK[row.standing].kind}>{MARK[row.standing].text}</Mark> : null}
          <span className="min-w-0 flex-1 text-xs text-muted">{row.rule === null ? "" : describeRule(row.rule)}</span>
        </div>
        {row.value === undefined ? null : <pre className="font-mono text-xs break-words whitespace-pre-wrap">{valueText(row)}</pre>}
        {hasSource ? <Where row={row} isShown={shown === row.name} onShow={() => onShow(row.name)} /> : null}
      </li>
    ))}
  </ul>
);
