"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useRef, useState } from "react";
import { ShownValue } from "@/components/values/value-text";
import { HIDDEN } from "@/components/values/visible-value";
import { toVisibleText } from "@/components/values/visible-text";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { Textarea } from "@/components/ui/textarea";
import type { ApprovalDetails } from "@/components/approvals/types";
import type { People } from "./origin-text";

const MOST_CHARACTERS = 2_000;

type Comment = ApprovalDetails["comments"][number];
type CommentProps = { readonly comment: Comment; readonly people: People; readonly runId: string };

const CommentItem = ({ comment, people, runId }: CommentProps) => (
  <li className="border-b px-3 py-2 last:border-b-0">
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <span className="font-medium text-ink">{people[comment.user] ?? "a person"}</span>
      <RelativeTime at={comment.at} />
      <Link href={`/runs/${runId}?t=${comment.seq}`} className="tabular hover:underline">
        record {comment.seq}
      </Link>
    </p>
    {comment.text === null ? (
      <ShownValue shown={HIDDEN} />
    ) : (
      <p dir="ltr" className="max-w-prose text-sm break-words whitespace-pre-wrap [unicode-bidi:isolate]">
        {toVisibleText(comment.text)}
      </p>
    )}
  </li>
);

const useComment = (approvalId: string) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const say = useMutation(
    trpc.approvals.comment.mutationOptions({
      onSuccess: () => setText(""),
      onSettled: () => queries.invalidateQueries(trpc.approvals.pathFilter()),
    }),
  );
  const given = text.trim();
  const send = () => {
    if (given !== "" && !say.isPending) say.mutate({ approvalId, text: given });
  };

  return { text, setText, send, isEmpty: given === "", isPending: say.isPending, error: say.error };
};

type WriteProps = { readonly approvalId: string; readonly blocked: string | null };

const WriteComment = ({ approvalId, blocked }: WriteProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, setText, send, isEmpty, isPending, error } = useComment(approvalId);
  const shortcuts = useMemo(
    () => [{ keys: ["m"], label: "Comment", group: "Decision", whyNot: () => blocked, run: () => field.current?.focus() }],
    [blocked],
  );
  useShortcuts(shortcuts);

  return (
    <div className="flex flex-col gap-2 px-3 py-2">
      {error ? <Callout kind="refused" title={toApiError(error).message} alert /> : null}
      {blocked === null ? (
        <Field
          label={
            <>
              Comment <Kbd>m</Kbd>
            </>
          }
          hint="Recorded in the run's ledger under your name. It doesn't affect the decision."
        >
          <Textarea
            ref={field}
            rows={2}
            value={text}
            maxLength={MOST_CHARACTERS}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
              event.preventDefault();
              send();
            }}
          />
        </Field>
      ) : null}
      <p className="flex items-center justify-end gap-2">
        {blocked === null ? null : <span className="min-w-0 flex-1 text-sm text-muted">{blocked}</span>}
        <Button disabledReason={blocked ?? (isEmpty ? "Enter a comment." : null)} pending={isPending ? "Recording…" : null} onClick={send}>
          Comment <Kbd>Ctrl/⌘ Enter</Kbd>
        </Button>
      </p>
    </div>
  );
};

type Props = { readonly details: ApprovalDetails; readonly blocked: string | null };

export const Comments = ({ details, blocked }: Props) => {
  const { comments, people, run, approval } = details;

  return (
    <Panel title="Comments" actions={<span className="tabular text-xs text-muted">{comments.length}</span>}>
      {comments.length === 0 ? null : (
        <ul className="border-b">
          {comments.map((comment) => (
            <CommentItem key={comment.seq} comment={comment} people={people} runId={run.id} />
          ))}
        </ul>
      )}
      <WriteComment approvalId={approval.id} blocked={blocked} />
    </Panel>
  );
};
