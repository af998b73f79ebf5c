import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { Panel } from "@/components/ui/panel";
import { toVisibleText } from "@/components/values/visible-text";
import type { DeskDetails } from "@/components/approvals/types";

type Verdicts = NonNullable<DeskDetails["verdicts"]>;
type Verdict = Verdicts[number];

const VERDICT_MARK = { approve: "reviewed", reject: "refused", abstain: "hidden" } as const satisfies Record<Verdict["verdict"], MarkKind>;
const VERDICT_TEXT = { approve: "Approves", reject: "Rejects", abstain: "Abstains" } as const satisfies Record<Verdict["verdict"], string>;

const places = (verdict: Verdict): string =>
  verdict.findings.map(({ code, start, end }) => (start === null || end === null ? code : `${code} at ${start} to ${end}`)).join("; ");

const Spoken = ({ verdicts, people }: { readonly verdicts: Verdicts; readonly people: Readonly<Record<string, string>> }) => (
  <ul aria-label="Verdicts" className="border-t">
    {verdicts.map((verdict) => (
      <li key={verdict.by} className="grid grid-cols-[9rem_1fr] gap-x-4 gap-y-1 border-b px-3 py-2 text-sm last:border-b-0">
        <span className="min-w-0 truncate font-medium">{verdict.name ?? people[verdict.by.slice("user:".length)] ?? "A person"}</span>
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <Mark kind={VERDICT_MARK[verdict.verdict]}>{VERDICT_TEXT[verdict.verdict]}</Mark>
          <span className="text-xs text-muted">{verdict.findings.length === 0 ? "no findings" : `findings: ${places(verdict)}`}</span>
        </div>
        {verdict.comment ? (
          <p className="col-start-2 flex min-w-0 items-start gap-2 text-xs">
            <Mark kind="tainted" bare>
              Says
            </Mark>
            <span className="min-w-0 break-words whitespace-pre-wrap">{toVisibleText(verdict.comment)}</span>
          </p>
        ) : null}
      </li>
    ))}
  </ul>
);

const Seat = ({ seat }: { readonly seat: DeskDetails["seats"][number] }) => {
  const isDone = seat.spoken >= seat.asked;
  const who = seat.kind === "person" ? `${seat.asked} ${seat.name}${seat.asked === 1 ? "" : "s"}` : seat.name;

  return (
    <li className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
      <Mark kind={isDone ? "hidden" : "waiting"}>{isDone ? "Done" : `${seat.spoken} of ${seat.asked}`}</Mark>
      <span className="font-medium">{who}</span>
      {seat.detail === null ? null : <span className="truncate font-mono text-xs text-muted">{seat.detail}</span>}
    </li>
  );
};

const sum = (seats: DeskDetails["seats"], of: "asked" | "spoken"): number => seats.reduce((total, seat) => total + seat[of], 0);

export const Seats = ({ desk }: { readonly desk: DeskDetails }) => {
  const { seats, quorum, verdicts } = desk;

  return (
    <Panel
      title="Reviewers"
      actions={
        <span className="tabular text-xs text-muted">
          {sum(seats, "spoken")} of {sum(seats, "asked")} verdicts given; {quorum} {quorum === 1 ? "approval" : "approvals"} needed
        </span>
      }
    >
      <ul aria-label="Asked" className="flex flex-col gap-1.5 px-3 py-2">
        {seats.map((seat, index) => (
          <Seat key={`${index} ${seat.name}`} seat={seat} />
        ))}
      </ul>
      {verdicts === null ? (
        <p className="border-t px-3 py-2 text-xs text-muted">
          Other verdicts stay hidden until you give yours. One rejection fails the case.
        </p>
      ) : (
        <Spoken verdicts={verdicts} people={desk.people} />
      )}
    </Panel>
  );
};
