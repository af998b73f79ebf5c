import type { LinkState } from "./live/hub";

type Props = {
  /** The run has ended. */
  readonly isOver: boolean;
  /** All records that are known of are here. */
  readonly isWhole: boolean;
  readonly link: LinkState;
  /** Why records cannot be fetched now; null: they can. */
  readonly error: unknown;
};

const textOf = ({ isOver, isWhole, link, error }: Props): string => {
  if (error !== null || (!isOver && link === "broken")) return "Connection lost. Reconnecting…";
  if (!isWhole) return "Loading…";
  if (isOver) return "All records";

  return link === "open" ? "Live" : "Connecting…";
};

/** Whether what is on screen is all there is. */
export const ConnectionNote = (props: Props) => <output className="text-xs text-muted">{textOf(props)}</output>;
