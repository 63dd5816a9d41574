/** A tool call as text for models. */
export function toolCall(tool: string, input: object): string {
  const given = JSON.stringify(input);
  return given === "{}" ? tool : `${tool} with ${given}`;
}
