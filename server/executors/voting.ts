import type { NodeOf } from "@/lib/graph/document";
import { toCanonicalJson, ownMember, type Json } from "@/lib/json";
import { runAgentTask, type Work } from "@/server/executors/agent-task";
import { describeIndex, describeVote } from "@/server/executors/answer-schemas";
import { parseJsonAnswer } from "@/server/executors/answer-json";
import { isSpent, runPartTask } from "@/server/executors/part";
import { findParty } from "@/server/executors/party";
import { runPooled } from "@/server/executors/pool";
import { findLeaders, tallyVotes, type Count, type Vote } from "@/server/executors/tally";
import { agentMissing, createFailure, executeKind, buildOutcome, type Failure } from "@/server/executors/written";

type VotingNode = NodeOf<"voting">;

const VOTE = `You are one of several voters, who do not see each other's votes. Answer {"vote": <your vote>}. If there are options, your vote must be one of them, or null to abstain.`;
const JUDGE = `You choose among votes that were cast, which are given as data. Answer {"choice": <index>} with the index of the best one.`;

/** `null`: an abstention. Wrapped, since a vote may be any JSON value. */
type Ballot = { readonly vote: Json } | null;

const ballotIn = (text: string, options: readonly Json[] | undefined): Ballot => {
  const vote = ownMember(parseJsonAnswer(text), "vote");
  if (vote === undefined) return null;
  const allowed = options === undefined || options.some((option) => toCanonicalJson(option) === toCanonicalJson(vote));

  return allowed ? { vote } : null;
};

const ask = async (node: VotingNode, voter: string, index: number, work: Work): Promise<Ballot | Failure> => {
  const { instructions, options } = node.config;
  const party = findParty(work.input, voter);
  if (!party) return agentMissing;
  const end = await runPartTask(
    {
      ...party,
      task: `voter.${index}`,
      instructions: [instructions, VOTE],
      data: { options: options ?? null },
      answer: "json",
      answerSchema: describeVote(options),
      writes: [],
    },
    work,
  );
  if (end.type === "failure") return isSpent(end) ? end : null;

  return ballotIn(end.text, options);
};

type Decided = { readonly type: "value"; readonly value: Json } | Failure;

const judged = async (node: VotingNode, counts: readonly Count[], work: Work): Promise<Decided> => {
  const judge = findParty(work.input, node.config.judge_id)?.agent;
  if (!judge) return agentMissing;
  const end = await runAgentTask(
    {
      task: "judge",
      agent: judge,
      tools: [],
      view: null,
      instructions: [node.config.instructions, JUDGE],
      data: { votes: counts.map(({ vote, votes }, index) => ({ index, vote, count: votes })) },
      answer: "json",
      answerSchema: describeIndex(counts.length),
      writes: [],
    },
    work,
  );
  if (end.type === "failure") return end;
  const choice = ownMember(parseJsonAnswer(end.text), "choice");
  const chosen = typeof choice === "number" ? counts[choice] : undefined;

  return chosen ? { type: "value", value: chosen.vote } : createFailure("vote_not_judged", true, "The judge chose none of the votes.");
};

const counted = ({ config }: VotingNode, counts: readonly Count[]): Decided => {
  const [first, second] = findLeaders(counts, config.strategy === "weighted" ? "weight" : "votes");
  if (first && !second) return { type: "value", value: first.vote };
  if (config.on_tie === "value" && config.tie_value !== undefined) return { type: "value", value: config.tie_value };

  return createFailure("vote_tied", false, "No vote is ahead of all others.");
};

/** Counts votes; failures abstain. */
export const runVoting = executeKind("voting", async (node, input, gateways, signal) => {
  const { voters, quorum = Math.floor(voters.length / 2) + 1, strategy, max_concurrency: limit } = node.config;
  const work = { input, gateways, signal };
  const isFailure = (end: Ballot | Failure | undefined): end is Failure => !!end && "type" in end;
  const ballots = await runPooled(voters, limit, ({ agent_id: id }, index) => ask(node, id, index, work), isFailure);
  const fatal = ballots.find(isFailure);
  if (fatal) return fatal;
  const votes = voters.flatMap(({ agent_id: voter, weight }, index): Vote[] => {
    const ballot = ballots[index];

    return ballot && "vote" in ballot ? [{ voter, weight, vote: ballot.vote }] : [];
  });
  if (votes.length < quorum) return createFailure("vote_no_quorum", true, `${votes.length} of ${quorum} needed votes were cast.`);
  const counts = tallyVotes(votes);
  const decided = strategy === "judge" && counts.length > 1 ? await judged(node, counts, work) : counted(node, counts);
  if (decided.type === "failure") return decided;

  return buildOutcome(input, node.config.write_to, decided.value, [
    { path: node.config.votes_to, value: votes.map(({ voter, vote }) => ({ voter, vote })) },
  ]);
});
