import type { LinkState } from "./live/hub";

type Props = {
  readonly isOver: boolean;
  readonly isWhole: boolean;
  readonly link: LinkState;
  readonly error: unknown;
};

const textOf = ({ isOver, isWhole, link, error }: Props): string => {
  if (error !== null || (!isOver && link === "broken")) return "Connection lost. Reconnecting…";
  if (!isWhole) return "Loading…";
  if (isOver) return "All records";

  return link === "open" ? "Live" : "Connecting…";
};

/** Says whether the records are complete and live. */
export const ConnectionNote = (props: Props) => <output className="text-xs text-muted">{textOf(props)}</output>;
