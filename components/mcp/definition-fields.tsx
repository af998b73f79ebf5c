import { toVisibleText } from "@/components/values/visible-text";
import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { markLines, type FieldDiff, type LineMark } from "@/lib/mcp/definition-diff";

const LABELS = {
  title: "Title",
  description: "Description",
  input_schema: "Input schema",
  output_schema: "Output schema",
  annotations: "Annotations",
} as const satisfies Record<FieldDiff["field"], string>;

type TextProps = { readonly caption?: string; readonly sign?: "−" | "+"; readonly lines: readonly LineMark[]; readonly label: string };

/** Server text, never rendered as markup. */
const PlainText = ({ caption, sign, lines, label }: TextProps) => (
  <div className="min-w-0">
    {caption ? <p className="mb-1 text-xs text-muted">{caption}</p> : null}
    <pre
      aria-label={caption ? `${label}, ${caption}` : label}
      className="rounded-md bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap"
    >
      {lines.length === 0 ? <span className="text-faint">none</span> : null}
      {lines.map((line, index) => (
        <span
          // Lines have no ids.
          key={index}
          className={cn(
            "block",
            sign && "pl-4 -indent-4",
            line.changed && sign === "−" && "bg-refused-soft",
            line.changed && sign === "+" && "bg-tainted-soft",
          )}
        >
          {sign ? <span aria-hidden={!line.changed}>{line.changed ? `${sign} ` : "  "}</span> : null}
          {toVisibleText(line.text) || " "}
        </span>
      ))}
    </pre>
  </div>
);

const Field = ({ field, isDiff }: { readonly field: FieldDiff; readonly isDiff: boolean }) => {
  const label = LABELS[field.field];
  const lines = markLines(field.before, field.after);

  return (
    <section aria-label={label}>
      <h4 className="mb-1 flex items-center gap-2 text-sm font-medium">
        {label}
        {isDiff && field.changed ? <Mark kind="tainted">Changed</Mark> : null}
      </h4>
      {isDiff && field.changed ? (
        <div className="grid gap-2 lg:grid-cols-2">
          <PlainText caption="Reviewed" sign="−" lines={lines.before} label={label} />
          <PlainText caption="Current" sign="+" lines={lines.after} label={label} />
        </div>
      ) : (
        <PlainText lines={field.after === null ? lines.before : lines.after} label={label} />
      )}
    </section>
  );
};

type Props = { readonly fields: readonly FieldDiff[]; readonly isDiff: boolean };

/** Definition by field; a diff lists changes first. */
export const DefinitionFields = ({ fields, isDiff }: Props) => {
  const present = fields.filter(({ before, after }) => before !== null || after !== null);
  const ordered = isDiff ? present.toSorted((a, b) => Number(b.changed) - Number(a.changed)) : present;

  return (
    <div className="flex min-w-0 flex-col gap-3">
      {ordered.map((field) => (
        <Field key={field.field} field={field} isDiff={isDiff} />
      ))}
    </div>
  );
};
