import { Callout } from "@/components/ui/callout";
import type { FileProblem } from "@/lib/graph/file";

const SHOWN = 50;

export const FileProblems = ({ problems }: { readonly problems: readonly FileProblem[] }) => (
  <Callout kind="refused" alert title={`Not imported: ${problems.length} ${problems.length === 1 ? "problem" : "problems"} in the text`}>
    <ul className="mt-1 flex flex-col gap-1">
      {problems.slice(0, SHOWN).map(({ message, place }) => (
        <li key={`${message} ${place?.line ?? 0} ${place?.column ?? 0}`} className="flex gap-2">
          <span className="tabular w-28 shrink-0 text-muted">
            {place === null ? "Entire file" : `Line ${place.line}, column ${place.column}`}
          </span>
          <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
    {problems.length > SHOWN ? <p className="mt-1 text-muted">And {problems.length - SHOWN} more.</p> : null}
  </Callout>
);
