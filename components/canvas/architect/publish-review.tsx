import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { widens } from "@/lib/architect/authority-diff";
import { AuthorityChanges } from "@/components/analysis/authority-changes";
import { MissingSettings } from "@/components/promotion/missing-settings";
import { PublishDrawing } from "./publish-drawing";
import type { PublishPreview } from "./types";

const MOST_LISTED = 10;

const NEEDED = {
  wider: "Authority increases: needs a second person with graph.publish",
  architect: "An architect's graph that acts outside needs a second person with graph.publish",
  unattended: "Changes data without an approval: needs a second person with graph.publish",
} as const;

const headline = ({ changes, base, sameAs, secondPerson }: PublishPreview): { kind: "clean" | "waiting"; title: string } => {
  if (sameAs !== null) return { kind: "clean", title: `No changes since version ${sameAs}` };
  if (secondPerson.why !== null) return { kind: "waiting", title: NEEDED[secondPerson.why] };
  if (base === null) return { kind: "clean", title: "First version: you can publish it" };

  return {
    kind: "clean",
    title: widens(changes) || changes.length === 0 ? "No authority change: you can publish it" : "Authority decreases: you can publish it",
  };
};

export const PublishReview = ({ preview }: { readonly preview: PublishPreview }) => {
  const { kind, title } = headline(preview);
  const texts = preview.problems.filter(({ code }) => code === "instructions_in_text");

  return (
    <section aria-label="Authority" className="flex flex-col gap-3">
      <Callout kind={kind} title={title}>
        <p className="flex flex-wrap items-center gap-2">
          {preview.sameAs === null ? "Its digest will be" : "Its digest is"} <DigestChip digest={preview.hash} label="version" />
          {preview.byArchitect ? <span className="text-muted">This draft was created with the architect.</span> : null}
          {preview.untrusted ? <Mark kind="tainted">Includes pasted text</Mark> : null}
        </p>
        {preview.secondPerson.unattended.length === 0 ? null : (
          <ul aria-label="Calls without approval">
            {preview.secondPerson.unattended.slice(0, MOST_LISTED).map(({ inside, node, tool }) => (
              <li key={`${inside}/${node}/${tool}`}>
                {node}
                {inside === "" ? "" : ` in ${inside}`} can call {tool} without an approval.
              </li>
            ))}
          </ul>
        )}
        {preview.sameAs !== null && preview.sameAs !== preview.base?.number ? (
          <p>Identical content is the same version. To make it the latest, change something first, such as the description.</p>
        ) : null}
      </Callout>
      {preview.into === null ? null : (
        <MissingSettings title={preview.into.title} variables={preview.into.missing} secrets={preview.into.missingSecrets} blocks={false} />
      )}
      {texts.length === 0 ? null : (
        <Callout kind="waiting" title="Texts that models read look like injected instructions">
          <ul aria-label="Instructions in texts" className="break-words">
            {texts.slice(0, MOST_LISTED).map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Callout>
      )}
      {preview.base === null && !preview.byArchitect ? null : (
        <AuthorityChanges changes={preview.changes} base={preview.base === null ? null : `version ${preview.base.number}`} />
      )}
      {preview.base === null ? null : <PublishDrawing base={preview.base} />}
    </section>
  );
};
