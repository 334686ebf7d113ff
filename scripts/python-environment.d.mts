export function pythonEnvironment(name: string, requirements: string): string;
export function pythonSdkEnvironment(what: string): string | null;
