import type { Metadata } from "next";
import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import { Entrance } from "@/components/users/entrance";
import { ReplyForm } from "@/components/users/reply-form";
import { getApi } from "@/server/trpc/rsc";

// The URL contains the token.
export const metadata: Metadata = { title: "Reply", referrer: "no-referrer", robots: { index: false } };

type Props = { readonly searchParams: Promise<{ token?: string | string[]; do?: string | string[] }> };

const LINK = "font-medium text-accent underline underline-offset-2";

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
          <Link href="/approvals" className={LINK}>
            Open approvals
          </Link>{" "}
          to decide there.
        </Callout>
      </Entrance>
    );
  }

  return (
    <Entrance title={asked === "comment" ? "Comment on this request" : "Reject this request"} intro={reply.graphName}>
      <ReplyForm token={given} action={asked === "comment" ? "comment" : "reject"} reply={reply} />
    </Entrance>
  );
};

export default ReplyPage;
