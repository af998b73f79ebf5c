"use client";

import Link from "next/link";
import { ShownValue } from "@/components/values/value-text";
import { HIDDEN } from "@/components/values/visible-value";
import { toVisibleText } from "@/components/values/visible-text";
import { RelativeTime } from "@/components/ui/relative-time";
import { useMarkRead, type Place } from "./use-mark-read";
import { WriteComment, type Written } from "./write-comment";

type Comment = { readonly seq: number; readonly user: string; readonly at: number; readonly text: string | null };
type CommentProps = { readonly comment: Comment; readonly name: string; readonly runId: string };

const CommentItem = ({ comment, name, runId }: CommentProps) => (
  <li className="border-b px-3 py-2 last:border-b-0">
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <span className="font-medium text-ink">{name}</span>
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

type Props = {
  readonly place: Place;
  readonly comments: readonly Comment[];
  readonly people: Readonly<Record<string, string>>;
  readonly hint: string;
  readonly blocked: string | null;
  readonly send: (written: Written) => Promise<unknown>;
  readonly shortcut?: string;
};

export const Comments = ({ place, comments, people, ...write }: Props) => {
  useMarkRead(place);

  return (
    <>
      {comments.length === 0 ? null : (
        <ul className="border-b">
          {comments.map((comment) => (
            <CommentItem key={comment.seq} comment={comment} name={people[comment.user] ?? "a person"} runId={place.runId} />
          ))}
        </ul>
      )}
      <WriteComment {...write} />
    </>
  );
};
