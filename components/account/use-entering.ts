"use client";

import { useState } from "react";
import { SIGN_IN_PROBLEMS, type SignInProblem } from "./sign-in-with";
import type { Entry } from "@/lib/people/sign-in";
import { enterWorkspace } from "./enter-workspace";

export const useEntering = (onDone: () => void) => {
  const [isEntering, setIsEntering] = useState(false);
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const enter = async (entry: Entry): Promise<void> => {
    setIsEntering(true);
    setProblem(null);
    const found = await enterWorkspace(entry);
    setProblem(found);
    setIsEntering(false);
    if (found === null) onDone();
  };

  return { enter, isEntering, problem: problem && SIGN_IN_PROBLEMS[problem] };
};
