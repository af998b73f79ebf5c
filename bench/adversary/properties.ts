export const PROPERTIES = {
  C1: "nothing outside the grants is shown to a model, a judge or a server",
  C2: "no tool is told anything more confidential than it is cleared for",
  W1: "memory changes only where granted, declared, valid and within bounds; nothing undeclared crosses into or out of a subgraph",
  I1: "protected paths, gates and promotions move only on an honest, open, matching yes",
  I2: "a refusal changes nothing and leaves one record",
  I3: "the ledger verifies, replays byte for byte, and shows a change",
  T1: "keys that need trust take nothing untrusted, and every label admits what shaped its value",
  F1: "the run is a path of the graphs, past no gate and no tool uncalled; only declared nodes are chosen",
  F2: "under strict taint no untrusted value chooses a way without a gate, and other untrusted values choose no other",
  B1: "limits hold at every depth; a model is asked only within a reservation, and reservations fit every budget",
  G1: "only granted tools and tasks, in their pinned form, with arguments they take and the graph says",
  E1: "no effect that needs a receipt without one for exactly it, unused, unexpired; undoing included",
  R1: "everybody speaks for themselves, and nothing counts twice, too early or too late",
  S1: "a text that others wrote stays inside its envelope and hides nothing",
} as const;

/** A2: the adversary is a server. */
export const SERVER_PROPERTIES = {
  M1: "what a server answers arrives bounded and plain, and is untrusted in the run that it goes into",
  M2: "a change of its tools is noticed before the next call that matters",
  M3: "no answer, and no missing one, keeps the manager from going on",
  M4: "only allowed addresses are contacted, redirects included",
} as const;
