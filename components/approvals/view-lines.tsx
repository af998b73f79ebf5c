import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { LabelMark } from "@/components/runs/label-mark";
import { Provenance } from "@/components/runs/provenance";
import { ShownValue } from "@/components/runs/shown-value";
import { ABSENT, HIDDEN, type Shown } from "@/components/runs/shown";
import type { ApprovalView, ViewLine } from "@/lib/engine/approval-view";
import { isUntrustedControl } from "@/lib/engine/control-position";

const OP_TEXT = { call: "sent", set: "set", show: "stands" } as const satisfies Record<ViewLine["op"], string>;

const shownOf = (value: ViewLine["before"]): Shown => {
  if (value === null) return ABSENT;

  return value.hidden ? HIDDEN : { kind: "value", value: value.value };
};

const Values = ({ line }: { readonly line: ViewLine }) => {
  if (line.op !== "set") return <ShownValue shown={shownOf(line.after)} />;

  return (
    <div className="grid gap-1">
      <div className="flex gap-2">
        <span className="w-10 shrink-0 text-xs leading-5 text-faint">before</span>
        <ShownValue shown={shownOf(line.before)} className={line.changed ? "text-muted line-through decoration-line-strong" : undefined} />
      </div>
      <div className="flex gap-2">
        <span className="w-10 shrink-0 text-xs leading-5 text-faint">after</span>
        <ShownValue shown={shownOf(line.after)} />
      </div>
    </div>
  );
};

/** The same label with the same sources as the line before: said once, it is read; said five times, it is skipped. */
const isLikeBefore = (line: ViewLine, before: ViewLine | undefined): boolean =>
  before?.integrity === line.integrity &&
  before.confidentiality === line.confidentiality &&
  before.provenance.join() === line.provenance.join();

type LineProps = { readonly line: ViewLine; readonly before: ViewLine | undefined; readonly people: Readonly<Record<string, string>> };

const Line = ({ line, before, people }: LineProps) => {
  const isSteering = isUntrustedControl(line);

  return (
    <li
      className={cn(
        "grid grid-cols-[14rem_1fr] gap-x-4 border-b border-l-2 border-l-transparent px-3 py-2 last:border-b-0",
        isSteering && "border-l-tainted",
      )}
    >
      <div className="flex min-w-0 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <LabelMark integrity={line.integrity} bare />
          <span className="text-xs text-muted">{line.confidentiality}</span>
        </span>
        {isLikeBefore(line, before) ? (
          <span className="text-xs text-faint">from the same sources</span>
        ) : (
          <Provenance sources={line.provenance} people={people} />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-xs text-faint">{OP_TEXT[line.op]}</span>
          <span className="font-mono text-xs font-medium break-all">{line.path}</span>
          {line.op === "set" ? <span className="text-xs text-muted">{line.changed ? "changes" : "stays as it is"}</span> : null}
          {isSteering ? <Mark kind="tainted">Untrusted, and it steers the effect</Mark> : null}
        </p>
        <Values line={line} />
      </div>
    </li>
  );
};

const GROUPS: readonly { readonly ops: readonly ViewLine["op"][]; readonly title: string }[] = [
  { ops: ["call"], title: "Sent out, exactly" },
  { ops: ["set"], title: "Changes in memory" },
  { ops: ["show"], title: "To compare with" },
];

type Props = { readonly view: ApprovalView; readonly people: Readonly<Record<string, string>> };

/** Everything that the decision covers or is to be compared with, by path. */
export const ViewLines = ({ view, people }: Props) =>
  GROUPS.map(({ ops, title }) => {
    const lines = view.lines.filter((line) => ops.includes(line.op));

    return lines.length === 0 ? null : (
      <section key={title} aria-label={title} className="overflow-hidden rounded-lg border bg-surface">
        <h2 className="border-b px-3 py-2 text-sm font-semibold">{title}</h2>
        <ul>
          {lines.map((line, index) => (
            <Line key={`${index} ${line.path}`} line={line} before={lines[index - 1]} people={people} />
          ))}
        </ul>
      </section>
    );
  });
