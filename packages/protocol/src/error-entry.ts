export interface ErrorEntry {
  title: string;
  advice: string;
}

export interface HttpErrorEntry extends ErrorEntry {
  status: number;
}
