/** Aims: graphs and moves that expose a missing guard, in every second episode. */
export type Aim = {
  readonly scenarios: readonly string[];
  readonly moves: readonly string[];
  /** Maximum honest moves before the first hostile one. */
  readonly quiet?: number;
  /** Afterwards only the adversary moves. */
  readonly alone?: boolean;
  /** A move precedes the run's start. */
  readonly early?: boolean;
};

const LATE = "the engine comes at the wrong time";
const TRUSTED = ["trusted data"];
const DESK = ["desk", "trusted data", "two people"];
const SUBGRAPH = ["subgraph", "strict subgraph"];
const UNDO = ["compensation", "compensation inside a subgraph"];
const ZONES = ["review by a person", "review by models"];
const SPENDING = ["use all tokens at once", "reserve side by side", "use a reservation twice"];

export const AIMS: Readonly<Record<string, Aim>> = {
  "nobody approves alone what they edited": { scenarios: DESK, moves: ["edit and approve it"], quiet: 12 },
  "an edit is for whoever may decide": { scenarios: DESK, moves: ["edit it in any role"], quiet: 12 },
  "an edit is about one proposal": { scenarios: DESK, moves: ["edit something else"], quiet: 12 },
  "an edit writes what its node may write": {
    scenarios: DESK,
    moves: ["forge a protected key", "edit what waits", "a person decides"],
    quiet: 3,
    alone: true,
  },
  "a proposal is sent back only so often": {
    scenarios: ["desk", "sent back"],
    moves: ["send it back", "call with what a person would allow"],
    quiet: 4,
    alone: true,
  },
  "an approval counts while its giver may decide": {
    scenarios: ["two people"],
    moves: ["a reviewer approves and leaves", "a person decides"],
    quiet: 12,
  },
  "key schemas": { scenarios: DESK, moves: ["write another type", "write below what is granted"], quiet: 4 },
  "key bounds": { scenarios: DESK, moves: ["write too much", "grow by parts", "write too deep"], quiet: 4 },
  "declared keys only": { scenarios: DESK, moves: ["forge an undeclared key"], quiet: 4 },
  "protected keys": { scenarios: DESK, moves: ["forge a protected key"], quiet: 4 },
  "no protected write in passing": { scenarios: DESK, moves: ["forge a protected key"], quiet: 4 },
  "protected keys at the border of a subgraph": {
    scenarios: ["subgraph"],
    moves: ["forge a protected key in a subgraph", "the executor works"],
    quiet: 4,
  },
  "what a subgraph gives back fits": { scenarios: SUBGRAPH, moves: ["smuggle out of a subgraph", "the executor works"], quiet: 4 },
  "least integrity of a key": { scenarios: ["desk", "promotion"], moves: ["forge a key that needs trust"], quiet: 5 },
  "labels of choices": { scenarios: ["strict supervisor"], moves: ["choose a managed node", "say that the work is done"], quiet: 3 },
  "the active node": {
    scenarios: DESK,
    moves: ["speak for another node", "work for a node that is over", "name another visit"],
    quiet: 5,
  },
  "a tool node's arguments": { scenarios: ["desk", "voting"], moves: ["read something else"], quiet: 1 },
  "a node's own effect class": { scenarios: ["payroll"], moves: [], quiet: 14 },
  "what a tool is cleared for": { scenarios: ["payroll alone"], moves: ["send a secret out", "mail a secret"], quiet: 1 },
  "answers are as confidential as their tool": { scenarios: ["synthesizer", "recall alone"], moves: ["ask for salaries"], quiet: 5 },
  "answers are as confidential as where they go": { scenarios: ["payroll"], moves: [], quiet: 14 },
  "what is not safe to repeat": {
    scenarios: TRUSTED,
    moves: ["call with what a person would allow", "the runner crashes", "the engine does its own"],
    quiet: 2,
  },
  "an effect under way is not recovered": { scenarios: ["recall alone", "trusted data"], moves: ["a task calls a tool", LATE], quiet: 2 },
  "whoever may start": { scenarios: DESK, moves: [], early: true },
  "nothing before the start": { scenarios: DESK, moves: [], early: true },
  "a run starts once": { scenarios: DESK, moves: ["start the run again", "start it again in any role"] },
  "a conversation is not rewritten": { scenarios: DESK, moves: ["rewrite the thread"], quiet: 4 },
  "retries wait": { scenarios: DESK, moves: ["fail on purpose", LATE, LATE], quiet: 3 },
  "a gate expires in its time": { scenarios: DESK, moves: [LATE], quiet: 8 },
  "a gate is void only when its ground has changed": { scenarios: DESK, moves: [LATE], quiet: 8 },
  "limits stop only what has reached them": { scenarios: DESK, moves: [LATE], quiet: 4 },
  "a failed attempt is not repeated for ever": { scenarios: DESK, moves: ["retry for ever", "fail on purpose"], quiet: 4 },
  "the time limit": { scenarios: ["two people"], moves: ["time passes", "write text that looks like a log"], quiet: 4, alone: true },
  "the iteration limit": { scenarios: TRUSTED, moves: ["choose the way with a value", "the executor works"] },
  "a tool that is there": { scenarios: TRUSTED, moves: ["call behind a closed door"], quiet: 1 },
  "a receipt works once": { scenarios: DESK, moves: ["use a yes twice"], quiet: 12 },
  "one effect per call": { scenarios: TRUSTED, moves: ["ask for the same call twice", "a task calls a tool"], quiet: 2 },
  "an outcome comes from its node": { scenarios: TRUSTED, moves: ["answer for another node"], quiet: 2 },
  "each proposal once": { scenarios: TRUSTED, moves: ["deliver again under the same id"], quiet: 2 },
  "the lease": { scenarios: DESK, moves: ["come with an old lease", "the runner crashes"], quiet: 4 },
  "an approval node cannot be walked through": { scenarios: DESK, moves: ["finish without working"], quiet: 8 },
  "a tool node has called its tool": { scenarios: DESK, moves: ["finish without working"], quiet: 1 },
  "what cannot be undone": { scenarios: TRUSTED, moves: ["call what cannot be undone"], quiet: 2 },
  "tool grants": { scenarios: TRUSTED, moves: ["call an ungranted tool"], quiet: 2 },
  "the same person counts once": { scenarios: ["two people"], moves: ["a person approves twice"], quiet: 12 },
  "an approval is asked once": { scenarios: DESK, moves: ["deliver a decision again", "somebody clicks twice"], quiet: 12 },
  "an approval dies with its ground": { scenarios: DESK, moves: ["the policy changes", "a person decides"], quiet: 10 },
  "tasks that a node has": { scenarios: ["voting", "evolution", "annealing"], moves: ["be a task that does not exist"], quiet: 5 },
  "items that a list has": { scenarios: ["map over an agent"], moves: ["be a task that does not exist"], quiet: 2 },
  "retries that an item has": { scenarios: ["map over an agent"], moves: ["be a task that does not exist"], quiet: 2 },
  "judges have no tools": { scenarios: ["voting", "evolution", "annealing"], moves: ["a judge calls a tool"], quiet: 5 },
  "only what works in parallel merges": { scenarios: DESK, moves: ["merge what nobody asked for"], quiet: 4 },
  "the token budget": { scenarios: ["desk", "swarm"], moves: SPENDING, quiet: 3 },
  "the cost budget": { scenarios: ["desk", "swarm"], moves: SPENDING, quiet: 3 },
  "the budget of a subgraph": { scenarios: SUBGRAPH, moves: SPENDING, quiet: 5 },
  "the budget of a node": { scenarios: ["voting", "evolution"], moves: SPENDING, quiet: 5 },
  "reservations side by side": { scenarios: ["voting", "evolution"], moves: ["reserve side by side"], quiet: 5 },
  "a reservation is of one task": { scenarios: ["voting", "evolution"], moves: ["use another task's reservation"], quiet: 5 },
  "a call under way is not given up": { scenarios: ["voting", "desk"], moves: ["use another task's reservation", LATE, LATE], quiet: 5 },
  "one choice at a time": { scenarios: ["supervisor"], moves: ["choose two nodes at once"], quiet: 2 },
  "a supervisor's choices": { scenarios: ["supervisor"], moves: ["choose a managed node", "the executor works"], quiet: 2 },
  "a supervisor is asked only while it may choose": {
    scenarios: ["supervisor"],
    moves: ["choose a managed node", "the executor works"],
    quiet: 2,
  },
  "a supervisor's nodes": { scenarios: ["supervisor"], moves: ["choose an unmanaged node"], quiet: 2 },
  "a hand-off is to a peer": { scenarios: ["swarm"], moves: ["hand off to no peer"], quiet: 4 },
  "one hand-off in a visit": { scenarios: ["swarm"], moves: ["hand off to a peer"], quiet: 4 },
  "hand-offs are counted": { scenarios: ["swarm"], moves: ["hand off to a peer"], quiet: 4 },
  "subgraphs end somewhere": { scenarios: ["a graph in itself"], moves: ["dive"], quiet: 6 },
  "a subgraph's iterations": {
    scenarios: ["subgraph"],
    moves: ["choose the way with a value", "finish without working"],
    quiet: 5,
    alone: true,
  },
  "a subgraph's time": { scenarios: ["subgraph"], moves: ["time passes", "write text that looks like a log"], quiet: 5, alone: true },
  "a subgraph is left when it has ended": { scenarios: SUBGRAPH, moves: [LATE], quiet: 6 },
  "strict taint reaches into subgraphs": { scenarios: ["strict subgraph"], moves: ["choose the way with a value"], quiet: 8 },
  "the topics of a recall": { scenarios: ["recall alone"], moves: ["memory of earlier runs comes twice or wrong"] },
  "how much is recalled": { scenarios: ["recall alone"], moves: ["memory of earlier runs comes twice or wrong"] },
  "recalled once": { scenarios: ["recall alone"], moves: ["memory of earlier runs comes twice or wrong"] },
  "recalled for the visit that is going on": {
    scenarios: ["recall alone"],
    moves: ["memory of earlier runs comes twice or wrong"],
    quiet: 1,
    alone: true,
  },
  "undone newest first": { scenarios: ["compensation"], moves: [LATE, "fail after the effect"], quiet: 30 },
  "one undo at a time": { scenarios: UNDO, moves: [LATE, "fail after the effect"], quiet: 30 },
  "all is undone before the end": { scenarios: UNDO, moves: [LATE, "fail after the effect"], quiet: 30 },
  "a judge needs a case that passed": { scenarios: ZONES, moves: ["lose a reviewer", "the executor works"], quiet: 6 },
  "the quorum of a case": { scenarios: ZONES, moves: ["the executor works"], quiet: 6 },
  "one verdict of each reviewer": { scenarios: ["review by models"], moves: ["give a verdict twice"], quiet: 4 },
  "a call without an answer is given up with its run": {
    scenarios: TRUSTED,
    moves: ["ask for the same call twice", "the executor works", "the executor works", "a person decides"],
    quiet: 1,
  },
  "nothing after the end": { scenarios: DESK, moves: ["cancel in any role", "start it again in any role"], quiet: 14 },
  "a body is of its form": { scenarios: TRUSTED, moves: ["say more than the form has"], quiet: 1 },
  "control labels inside a subgraph": {
    scenarios: SUBGRAPH,
    moves: ["choose the way with a value", "forge a key that needs trust"],
    quiet: 8,
  },
  "pinned argument schemas": { scenarios: TRUSTED, moves: ["smuggle into a reading tool", "smuggle arguments"], quiet: 1 },
  "who may propose what": { scenarios: DESK, moves: ["decide as an executor", "speak for the engine"], quiet: 8 },
  "nobody is asked who is not named": { scenarios: ZONES, moves: ["the executor works"], quiet: 6 },
  "undoing needs a yes": { scenarios: UNDO, moves: ["fail after the effect", "the executor works"], quiet: 30 },
};
