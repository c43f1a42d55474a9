Altona Bahnhof 9
Altona Hafen 6
Bahnhof Dom 4
Bahnhof Eppendorf 14
Dom Hafen 8
Eppendorf Fuhlsbuettel 11
Hafen Insel 12
Quelle Reede 3
