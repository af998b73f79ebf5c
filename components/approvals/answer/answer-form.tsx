"use client";

import { toVisibleText } from "@/components/values/visible-text";
import { Mark } from "@/components/ui/marks/mark";
import type { Decision } from "@/components/approvals/use-decision";
import { AnswerField } from "./answer-field";
import { placeOf } from "./answer-draft";

type Props = {
  readonly answer: NonNullable<Decision["answer"]>;
  readonly server: string;
  readonly blocked: string | null;
};

export const AnswerForm = ({ answer, server, blocked }: Props) => {
  const { questions, entered, faults, setEntered, areFaultsShown } = answer;

  return (
    <section aria-label="Your answer" className="overflow-hidden rounded-lg border bg-surface">
      <header className="flex min-h-10 flex-wrap items-center gap-x-3 border-b px-3 py-1.5">
        <h2 className="text-sm font-semibold">Your answer</h2>
        <span className="text-xs text-muted">Sent to {server} and recorded in the ledger. Don&apos;t enter passwords or keys.</span>
      </header>
      {blocked === null ? (
        questions.map(({ message, fields }, question) => (
          <div key={placeOf(question, -1)} className="flex flex-col gap-3 border-b px-3 py-3 last:border-b-0">
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <Mark kind="tainted">{server} asks</Mark>
              <span className="break-words whitespace-pre-wrap">{toVisibleText(message)}</span>
            </p>
            {fields.map((field, index) => {
              const place = placeOf(question, index);

              return (
                <AnswerField
                  key={place}
                  field={field}
                  typed={entered[place] ?? []}
                  fault={areFaultsShown ? (faults.get(place) ?? null) : null}
                  onType={(typed) => setEntered(place, typed)}
                />
              );
            })}
            {fields.length === 0 ? <p className="text-xs text-muted">No fields to fill in. Answering means yes.</p> : null}
          </div>
        ))
      ) : (
        <p className="px-3 py-3 text-sm text-muted">{blocked}</p>
      )}
    </section>
  );
};
