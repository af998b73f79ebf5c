import { cn } from "@/components/ui/cn";
import type { Hit } from "@/lib/graph/find";

/** Longer lists are filtered. */
const MAX_SHOWN = 50;

type Props = { readonly hits: readonly Hit[]; readonly at: number; readonly onChoose: (index: number) => void };

export const HitList = ({ hits, at, onChoose }: Props) => {
  if (hits.length === 0) return null;

  return (
    <ul aria-label="Results" className="max-h-56 overflow-y-auto border-t p-1">
      {hits.slice(0, MAX_SHOWN).map((hit, index) => (
        <li key={`${hit.type} ${hit.id}`}>
          <button
            type="button"
            aria-current={index === at || undefined}
            className={cn("flex w-full flex-col rounded-md px-2 py-1 text-left hover:bg-hover", index === at && "bg-accent-soft")}
            onClick={() => onChoose(index)}
          >
            <span className="truncate text-sm">{hit.name}</span>
            <span className="truncate text-xs text-muted">
              {hit.where}: <span className="font-mono">{hit.excerpt}</span>
            </span>
          </button>
        </li>
      ))}
      {hits.length > MAX_SHOWN ? (
        <li className="px-2 py-1 text-xs text-muted">{hits.length - MAX_SHOWN} more: type to narrow them down.</li>
      ) : null}
    </ul>
  );
};
