import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { widens } from "@/lib/architect/authority-diff";
import { AuthorityChanges } from "./authority-changes";
import { PublishDrawing } from "./publish-drawing";
import type { PublishPreview } from "./types";

const headline = ({ changes, base, sameAs, needsSecondPerson }: PublishPreview): { kind: "clean" | "waiting"; title: string } => {
  if (sameAs !== null) return { kind: "clean", title: `Nothing differs from version ${sameAs}` };
  if (needsSecondPerson) {
    return {
      kind: "waiting",
      title:
        base === null
          ? "An architect's graph that acts outside needs a second person with graph.publish"
          : "It may do more: needs a second person with graph.publish",
    };
  }
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
