import { signInWith, type SignInProblem } from "./sign-in-with";
import { stepUpQuestion } from "./step-up-question";
import type { Entry } from "@/lib/people/sign-in";
import { tab } from "@/components/trpc/tab";

/** @returns null on success */
export const enterWorkspace = async (entry: Entry): Promise<SignInProblem | null> => {
  const ask = () => {
    tab.announceLeaving();

    return signInWith("workspace", { entry: JSON.stringify(entry) });
  };
  const problem = await ask();

  return problem === "step_up_required" && (await stepUpQuestion.ask()) ? ask() : problem;
};
