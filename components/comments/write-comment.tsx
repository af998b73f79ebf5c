"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import { completeName, listMentioned, suggestPeople, type Person } from "./mention-names";

const MOST_CHARACTERS = 2_000;

export type Written = { readonly text: string; readonly mentions: string[] };

const useDraft = (send: (written: Written) => Promise<unknown>) => {
  const [text, setText] = useState("");
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState<readonly Person[]>([]);
  const say = useMutation({
    mutationFn: send,
    onSuccess: () => {
      setText("");
      setChosen([]);
    },
  });
  const written = text.trim();

  return {
    text,
    caret,
    isEmpty: written === "",
    isPending: say.isPending,
    error: say.error,
    write: (next: string, at: number) => {
      setText(next);
      setCaret(at);
    },
    choose: (person: Person) => {
      const next = completeName(text, caret, person.name);
      setText(next);
      setCaret(next.length);
      setChosen([...chosen, person]);
    },
    submit: () => {
      if (written !== "" && !say.isPending) say.mutate({ text: written, mentions: [...listMentioned(written, chosen)] });
    },
  };
};

type SuggestedProps = { readonly people: readonly Person[]; readonly onChoose: (person: Person) => void };

const Suggested = ({ people, onChoose }: SuggestedProps) =>
  people.length === 0 ? null : (
    <ul aria-label="People to mention" className="flex flex-wrap gap-1">
      {people.map((person) => (
        <li key={person.id}>
          <Button size="sm" onClick={() => onChoose(person)}>
            @{person.name}
          </Button>
        </li>
      ))}
    </ul>
  );

type Props = {
  readonly blocked: string | null;
  readonly hint: string;
  readonly send: (written: Written) => Promise<unknown>;
  readonly shortcut?: string;
};

export const WriteComment = ({ blocked, hint, send, shortcut }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(send);
  const { data } = useQuery(useTRPC().comments.people.queryOptions(undefined, { enabled: blocked === null && draft.text.includes("@") }));
  const shortcuts = useMemo(
    () =>
      shortcut === undefined
        ? []
        : [{ keys: [shortcut], label: "Comment", group: "Decision", whyNot: () => blocked, run: () => field.current?.focus() }],
    [blocked, shortcut],
  );
  useShortcuts(shortcuts);

  return (
    <div className="flex flex-col gap-2 px-3 py-2">
      {draft.error ? <Callout kind="refused" title={toApiError(draft.error).message} alert /> : null}
      {blocked === null ? (
        <>
          <Field
            label={
              shortcut === undefined ? (
                "Comment"
              ) : (
                <>
                  Comment <Kbd>{shortcut}</Kbd>
                </>
              )
            }
            hint={hint}
          >
            <Textarea
              ref={field}
              rows={2}
              value={draft.text}
              maxLength={MOST_CHARACTERS}
              onChange={({ currentTarget: { value, selectionStart } }) => draft.write(value, selectionStart)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
                event.preventDefault();
                draft.submit();
              }}
            />
          </Field>
          <Suggested
            people={suggestPeople(draft.text, draft.caret, data?.people ?? [])}
            onChoose={(person) => {
              draft.choose(person);
              field.current?.focus();
            }}
          />
        </>
      ) : null}
      <p className="flex items-center justify-end gap-2">
        {blocked === null ? null : <span className="min-w-0 flex-1 text-sm text-muted">{blocked}</span>}
        <Button
          disabledReason={blocked ?? (draft.isEmpty ? "Enter a comment." : null)}
          pending={draft.isPending ? "Recording…" : null}
          onClick={draft.submit}
        >
          Comment <Kbd>Ctrl/⌘ Enter</Kbd>
        </Button>
      </p>
    </div>
  );
};
