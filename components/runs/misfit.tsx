"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { Mark } from "@/components/ui/marks/mark";
import { toVisibleText } from "@/components/values/visible-text";

const WITHHELD = { clearance: "Value hidden from your role", review: "Value under review" } as const;

type Props = { readonly runId: string; readonly seq: number };

/** Faulty fields of a refused value, what fits, and the value if visible to the reader. */
export const Misfit = ({ runId, seq }: Props) => {
  const { data } = useQuery(useTRPC().runs.misfit.queryOptions({ runId, seq }, { staleTime: Infinity }));
  if (!data) return null;

  return (
    <section aria-label="Fields that do not fit" className="mt-2 flex flex-col gap-1">
      <ul className="flex flex-col gap-1 text-xs">
        {data.faults.map(({ path, expected, found }) => (
          <li key={`${path} ${expected}`}>
            <span className="font-mono font-medium break-all">{path}</span>: expected {expected}
            {found === null ? null : (
              <>
                , got <span className="font-mono break-all">{toVisibleText(found)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      {data.withheld === null ? null : (
        <Mark kind="hidden" bare>
          {WITHHELD[data.withheld]}
        </Mark>
      )}
    </section>
  );
};
