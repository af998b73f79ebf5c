"use client";

import { AttemptsPanel } from "./attempts/attempts-panel";
import type { People } from "./blame/author";
import { BlamePanel } from "./blame/blame-panel";
import type { Entry } from "./entries";
import type { NodeNames } from "./node-names";

type Props = {
  readonly entries: readonly Entry[];
  readonly names: NodeNames;
  readonly people: People;
  /** The selected record. */
  readonly seq: number;
};

/** Dialogs that open by URL: provenance and refused proposals. */
export const RunPanels = (props: Props) => (
  <>
    <BlamePanel {...props} />
    <AttemptsPanel {...props} />
  </>
);
