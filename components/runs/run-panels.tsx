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
  readonly seq: number;
};

export const RunPanels = (props: Props) => (
  <>
    <BlamePanel {...props} />
    <AttemptsPanel {...props} />
  </>
);
