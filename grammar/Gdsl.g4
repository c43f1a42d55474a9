// The graph language: algorithms, local functions and schedules.
//
// Words that only mean something in one place (`levels`, `round`, `set`, `min`, ...) are tokens that the rule `name`
// accepts, so programs may use them freely; the reserved words are the tokens that `name` leaves out.
// What the grammar does not say (the first parameter is the graph, no clause comes twice, which names are types, that
// `{v in S}` is a filter and `sum(v in S : x)` a reduction) is the business of frontend/AstBuilder.
grammar Gdsl;

tokens { COMBINER } // the name of a declared reduction where it stands before `=`; see frontend/Parser.cpp

program : topLevel* EOF ;

topLevel : importDecl | reductionDecl | functionDecl | algorithmDecl | scheduleDecl ;

importDecl : IMPORT STRING SEMI ;

reductionDecl : REDUCTION IDENTIFIER COLON typeName ASSIGN callee (COMMA promise)* SEMI ;

promise : ASSOCIATIVE | COMMUTATIVE | NEUTRAL expr ;

functionDecl : FUNCTION name parameterList ARROW typeName block ;

algorithmDecl : ALGORITHM name parameterList block ;

parameterList : LPAREN (parameter (COMMA parameter)*)? RPAREN ;

parameter : name COLON (graphType | type) (FROM callee)? (ASSIGN expr)? ;

graphType : GRAPH (LT graphAttribute (COMMA graphAttribute)* GT)? ;

graphAttribute : name (COLON typeName)? ;

// ---- types

type : typeName shape? ;

typeName : (numericType | qualifiedName) SET? | LPAREN typeName (COMMA typeName)+ RPAREN ;

numericType : BOOL | INT | LONG | FLOAT | DOUBLE ;

shape : LBRACKET expr (COMMA expr)? RBRACKET ; // the graph `g`, `g.edges` or `g, g`, or the length of an array

// ---- statements

block : LBRACE statement* RBRACE ;

statement
    : declaration
    | letStatement
    | assignment
    | forStatement
    | propagateStatement
    | ifStatement
    | whileStatement
    | repeatStatement
    | breakStatement
    | returnStatement
    | block
    ;

declaration : OUTPUT? name COLON type (ASSIGN expr)? SEMI ;

letStatement : LET name ASSIGN expr SEMI ;

assignment : target assignOp expr SEMI ;

target : LPAREN lvalue (COMMA lvalue)* RPAREN | lvalue ;

lvalue : name (LBRACKET expr (COMMA expr)* RBRACKET)? (DOT (name | INTEGER | REAL))* ;

assignOp : ASSIGN | UPDATE | MIN ASSIGN | MAX ASSIGN | COMBINER ASSIGN ; // ir/graph/Reductions.td says what each means

forStatement : label? FOR forHeader block ;

forHeader : pattern clause* ;

propagateStatement : label? PROPAGATE propagateHeader block (UNTIL expr SEMI)? ;

propagateHeader : pattern clause* ;

ifStatement : IF condition block (ELSE (ifStatement | block))? ;

whileStatement : label? WHILE condition block ;

condition : {_input->LA(1) != LBRACE}? expr ;

repeatStatement : label? REPEAT ({_input->LA(1) != LBRACE}? expr)? block (UNTIL expr SEMI)? ;

breakStatement : BREAK SEMI ;

returnStatement : RETURN expr? SEMI ;

label : name COLON ;

// ---- patterns: what a data-parallel statement or a reduction ranges over

pattern : vertexPattern | pairPattern | edgePattern ;

vertexPattern : name IN expr (RANGE expr)? ;

pairPattern : name COMMA name IN expr ;

edgePattern : (name COLON)? name (ARROW | LINE) name ;

clause
    : FROM expr                                 # fromClause
    | INTO expr                                 # intoClause
    | WHERE expr                                # whereClause
    | SEQUENTIALLY                              # sequentiallyClause
    | REVERSED                                  # reversedClause
    | ORDERED BY name                           # orderedClause
    | KEEP LEVELS                               # keepClause
    | KEEP LEVELS name                          # keepClause
    | ROUND name                                # roundClause
    | UNTIL expr                                # untilClause
    | AT MOST expr (ROUND | ROUNDS)             # atMostClause
    ;

// ---- expressions, tightest first

expr
    : LPAREN expr (COMMA expr)* RPAREN                                                      # tupleExpr
    | name LPAREN edgePattern clause* (COLON expr)? RPAREN                                  # reduceExpr
    | (callee | numericType) LPAREN (expr (COMMA expr)* clause* (COLON expr)?)? RPAREN      # callExpr
    | LBRACE (expr (COMMA expr)* clause*)? RBRACE                                           # setExpr
    | (INTEGER | REAL | TRUE | FALSE | INF | NONE | SELF)                                   # literalExpr
    | name                                                                                  # nameExpr
    | expr LBRACKET expr (COMMA expr)* RBRACKET                                             # indexExpr
    | expr DOT (name | INTEGER | REAL)                                                      # memberExpr
    | (MINUS | NOT | TILDE) expr                                                            # unaryExpr
    | expr (STAR | SLASH | PERCENT) expr                                                    # binaryExpr
    | expr (PLUS | MINUS) expr                                                              # binaryExpr
    | expr (SHIFT_LEFT | SHIFT_RIGHT) expr                                                  # binaryExpr
    | expr AND expr                                                                         # binaryExpr
    | expr CARET expr                                                                       # binaryExpr
    | expr OR expr                                                                          # binaryExpr
    | expr (EQ | NE | LT | LE | GT | GE | IN) expr                                          # binaryExpr
    | expr AND_AND expr                                                                     # binaryExpr
    | expr OR_OR expr                                                                       # binaryExpr
    | IF expr THEN expr ELSE expr                                             # conditionalExpr
    ;

// ---- schedules

scheduleDecl : SCHEDULE name LBRACE scheduleSection* RBRACE ;

scheduleSection : name name? LBRACE directive* RBRACE ;

directive : name BY? (optionList | alternative (OR alternative)*)? SEMI ;

alternative : scheduleValue (PLUS scheduleValue)* ;

scheduleValue : scheduleWord optionList? ;

optionList : LPAREN option (COMMA option)* RPAREN ;

option : name ASSIGN scheduleWord ;

scheduleWord : name | NONE | TRUE | FALSE | INF | MINUS? (INTEGER | REAL) ;

// ---- names: those of C++, identifiers and the words that are not reserved

qualifiedName : name (SCOPE name)* ;

callee : qualifiedName | name (SCOPE name)+ templateArguments | name numericArguments ;

templateArguments : LT templateArgument (COMMA templateArgument)* GT ;

numericArguments : LT numericType (COMMA templateArgument)* GT ; // of a name without `::`, which may be compared

templateArgument : numericType | qualifiedName | MINUS? INTEGER | TRUE | FALSE ;

name
    : IDENTIFIER | GRAPH | SET | FROM | INTO | SEQUENTIALLY | REVERSED | ORDERED | BY | KEEP | LEVELS | ROUND | ROUNDS
    | AT | MOST | THEN | MIN | MAX | REDUCTION | ASSOCIATIVE | COMMUTATIVE | NEUTRAL
    ;

// ---- tokens

ALGORITHM : 'algorithm' ;
BREAK : 'break' ;
ELSE : 'else' ;
FALSE : 'false' ;
FOR : 'for' ;
FUNCTION : 'function' ;
IF : 'if' ;
IMPORT : 'import' ;
IN : 'in' ;
INF : 'inf' ;
LET : 'let' ;
NONE : 'none' ;
OUTPUT : 'output' ;
PROPAGATE : 'propagate' ;
REPEAT : 'repeat' ;
RETURN : 'return' ;
SCHEDULE : 'schedule' ;
SELF : 'self' ;
TRUE : 'true' ;
UNTIL : 'until' ;
WHERE : 'where' ;
WHILE : 'while' ;

BOOL : 'bool' ;
DOUBLE : 'double' ;
FLOAT : 'float' ;
INT : 'int' ;
LONG : 'long' ;

ASSOCIATIVE : 'associative' ;
AT : 'at' ;
BY : 'by' ;
COMMUTATIVE : 'commutative' ;
FROM : 'from' ;
GRAPH : 'graph' ;
INTO : 'into' ;
KEEP : 'keep' ;
LEVELS : 'levels' ;
MAX : 'max' ;
MIN : 'min' ;
MOST : 'most' ;
NEUTRAL : 'neutral' ;
ORDERED : 'ordered' ;
REDUCTION : 'reduction' ;
REVERSED : 'reversed' ;
ROUND : 'round' ;
ROUNDS : 'rounds' ;
SEQUENTIALLY : 'sequentially' ;
SET : 'set' ;
THEN : 'then' ;

ARROW : '->' ;
LINE : '--' ;
AND_AND : '&&' ;
OR_OR : '||' ;
UPDATE : '+=' | '-=' | '*=' | '|=' | '&=' | '^=' ;
EQ : '==' ;
NE : '!=' ;
LE : '<=' ;
GE : '>=' ;
SHIFT_LEFT : '<<' ;
SHIFT_RIGHT : '>>' ;
LT : '<' ;
GT : '>' ;
ASSIGN : '=' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
AND : '&' ;
OR : '|' ;
CARET : '^' ;
NOT : '!' ;
TILDE : '~' ;
RANGE : '..' ;
DOT : '.' ;
COMMA : ',' ;
SCOPE : '::' ;
COLON : ':' ;
SEMI : ';' ;
LPAREN : '(' ;
RPAREN : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;

IDENTIFIER : [A-Za-z_] [A-Za-z0-9_]* ;
INTEGER : DIGITS ;
REAL : DIGITS '.' DIGITS EXPONENT? | DIGITS EXPONENT ;
STRING : '"' ~["\r\n]* '"' ;

fragment DIGITS : [0-9] [0-9_]* ;
fragment EXPONENT : [eE] [+-]? [0-9]+ ;

SPACE : [ \t\r\n]+ -> skip ;
LINE_COMMENT : '//' ~[\r\n]* -> skip ;
BLOCK_COMMENT : '/*' .*? '*/' -> skip ;

// Anything else: the parser reports it. The front end passes every byte beyond ASCII as \u0001.
UNKNOWN : '\u0001'+ | . ;
