import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { widens } from "@/lib/architect/authority-diff";
import { AuthorityChanges } from "./authority-changes";
import { PublishDrawing } from "./publish-drawing";
import type { PublishPreview } from "./types";

const MOST_LISTED = 10;

const NEEDED = {
  wider: "It may do more: needs a second person with graph.publish",
  architect: "An architect's graph that acts outside needs a second person with graph.publish",
  unattended: "It can change something without asking anyone: needs a second person with graph.publish",
} as const;

const headline = ({ changes, base, sameAs, secondPerson }: PublishPreview): { kind: "clean" | "waiting"; title: string } => {
  if (sameAs !== null) return { kind: "clean", title: `Nothing differs from version ${sameAs}` };
  if (secondPerson.why !== null) return { kind: "waiting", title: NEEDED[secondPerson.why] };
  if (base === null) return { kind: "clean", title: "A first version: yours to publish" };

  return {
    kind: "clean",
    title: widens(changes) || changes.length === 0 ? "No authority change: yours to publish" : "It may do less: yours to publish",
  };
};

/** What is published, under which name, and what it may do more and less than what it follows. */
export const PublishReview = ({ preview }: { readonly preview: PublishPreview }) => {
  const { kind, title } = headline(preview);

  return (
    <section aria-label="Authority" className="flex flex-col gap-3">
      <Callout kind={kind} title={title}>
        <p className="flex flex-wrap items-center gap-2">
          {preview.sameAs === null ? "Its name will be" : "Its name is"} <DigestChip digest={preview.hash} label="version" />
          {preview.byArchitect ? <span className="text-muted">An architect took part in this draft.</span> : null}
          {preview.untrusted ? <Mark kind="tainted">Pasted text took part</Mark> : null}
        </p>
        {preview.secondPerson.unattended.length === 0 ? null : (
          <ul aria-label="Calls without approval">
            {preview.secondPerson.unattended.slice(0, MOST_LISTED).map(({ inside, node, tool }) => (
              <li key={`${inside}/${node}/${tool}`}>
                {node}
                {inside === "" ? "" : ` in ${inside}`} can call {tool} without an approval of that call.
              </li>
            ))}
          </ul>
        )}
        {preview.sameAs !== null && preview.sameAs !== preview.base?.number ? (
          <p>One content is one version. To make it the newest, change something first, such as the description.</p>
        ) : null}
      </Callout>
      {preview.base === null && !preview.byArchitect ? null : (
        <AuthorityChanges changes={preview.changes} base={preview.base === null ? null : `version ${preview.base.number}`} />
      )}
      {preview.base === null ? null : <PublishDrawing base={preview.base} />}
    </section>
  );
};
