import { toVisibleText } from "@/components/values/visible-text";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListedIdentity } from "@/server/store/people/identities";

export const IdentityLine = ({ identity: { issuer, subject, linkedAt, record } }: { readonly identity: ListedIdentity }) => (
  <p className="text-sm text-muted">
    <span className="font-mono text-xs break-all text-ink">{toVisibleText(subject)}</span> at{" "}
    <span className="font-mono text-xs break-all">{toVisibleText(issuer)}</span>, linked <RelativeTime at={linkedAt} />
    {record === null ? " by the invite" : `, workspace record ${record}`}
  </p>
);
