import type { Metadata } from "next";
import { Callout } from "@/components/ui/callout";
import { Entrance, ExitLink } from "@/components/users/entrance";
import { Reply } from "@/components/users/reply";
import { LINK_ACTIONS, type LinkAction } from "@/lib/notifications/reply-link";
import { getApi } from "@/server/trpc/rsc";

// The URL contains the token.
export const metadata: Metadata = { title: "Reply", referrer: "no-referrer", robots: { index: false } };

type Props = { readonly searchParams: Promise<{ token?: string | string[]; do?: string | string[] }> };

const TITLES = {
  reject: "Reject this request",
  request_changes: "Request changes",
  comment: "Comment on this request",
  snooze: "Snooze this request",
} as const satisfies Record<LinkAction, string>;

/** Changes nothing: mail scanners and previews open it. */
const ReplyPage = async ({ searchParams }: Props) => {
  const { token, do: asked } = await searchParams;
  const given = typeof token === "string" && token.length <= 300 ? token : "";
  const api = await getApi();
  const { reply } = await api.reply.get({ token: given });
  if (reply === null) {
    return (
      <Entrance title="This link doesn't work" intro="A link from a message works once, until the request closes.">
        <Callout kind="refused" title="It has expired, or it is incomplete.">
          <ExitLink href="/approvals">Open approvals</ExitLink> to decide there.
        </Callout>
      </Entrance>
    );
  }

  const action = LINK_ACTIONS.find((each) => each === asked) ?? "reject";

  return (
    <Entrance title={TITLES[action]} intro={reply.graphName}>
      <Reply token={given} action={action} reply={reply} />
    </Entrance>
  );
};

export default ReplyPage;
