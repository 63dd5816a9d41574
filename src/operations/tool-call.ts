/** A call of a tool as models are told of it. */
export function toolCall(tool: string, input: object): string {
  const given = JSON.stringify(input);
  return given === "{}" ? tool : `${tool} with ${given}`;
}
