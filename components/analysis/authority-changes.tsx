import { Minus, Plus } from "lucide-react";
import type { AuthorityChange } from "@/lib/architect/authority-diff";
import { Disclosure } from "./disclosure";

type Props = {
  readonly changes: readonly AuthorityChange[];
  readonly base: string | null;
};

const SHOWN = 8;

const Lines = ({ changes }: { readonly changes: readonly AuthorityChange[] }) => (
  <ul className="flex flex-col gap-1">
    {changes.map(({ direction, text, facet, node }) => {
      const Icon = direction === "wider" ? Plus : Minus;

      return (
        <li key={`${direction} ${facet} ${node ?? ""} ${text}`} className="flex gap-2 text-sm">
          <Icon aria-hidden className="mt-1 size-3 shrink-0 text-muted" />
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">{direction === "wider" ? "More: " : "Less: "}</span>
            {text}
          </span>
        </li>
      );
    })}
  </ul>
);

type GroupProps = { readonly title: string; readonly changes: readonly AuthorityChange[] };

const Group = ({ title, changes }: GroupProps) =>
  changes.length === 0 ? null : (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="text-xs font-semibold text-muted">
        {title} <span className="tabular font-normal">({changes.length})</span>
      </h3>
      <Lines changes={changes.slice(0, SHOWN)} />
      {changes.length > SHOWN ? (
        <Disclosure summary={`${changes.length - SHOWN} more`}>
          <Lines changes={changes.slice(SHOWN)} />
        </Disclosure>
      ) : null}
    </section>
  );

export const AuthorityChanges = ({ changes, base }: Props) => {
  const wider = changes.filter(({ direction }) => direction === "wider");
  const narrower = changes.filter(({ direction }) => direction === "narrower");
  if (changes.length === 0) return <p className="text-sm text-muted">No authority change{base === null ? "" : ` since ${base}`}.</p>;

  return (
    <div className="flex flex-col gap-3">
      <Group title={base === null ? "Everything it may do" : `May do more than ${base}`} changes={wider} />
      <Group title={base === null ? "" : `May do less than ${base}`} changes={narrower} />
    </div>
  );
};
