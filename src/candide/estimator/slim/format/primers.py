"""Primers: texts that are learnt before the text of a slim model is packed or unpacked."""

from __future__ import annotations

SECOND_PRIMER = (
    b'["id","name","date","time","year","month","day","hour","weekday","country","city","region","state","street","code"'
    b',"age","sex","gender","education","job","occupation","marital","status","income","salary","balance","loan","credit",'
    b'"price","cost","amount","total","number","count","sum","rate","ratio","score","value","level","type","kind","group",'
    b'"class","category","label","color","shape","size","length","width","height","depth","area","weight","volume","speed"'
    b',"temperature","pressure","distance","duration","mean","min","max","x","y","z","x1","x2","x3","left","right","top"]'
    b'["no","yes","false","true","none","other","unknown","low","medium","high","small","large","female","male","single"'
    b',"married","divorced","widowed","red","green","blue","black","white","brown","yellow","gray"]{"type":"bool",'
    b'"labels":[false,true]}{"type":"text","labels":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q",'
    b'"r","s","t","u","v","w","x","y","z"]}{"type":"text","labels":["A","B","C","D","E","F","G","H","I","J","K","L","M",'
    b'"N","O","P","Q","R","S","T","U","V","W","X","Y","Z"]}{"type":"int64","labels":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,'
    b'15,16,17,18,19,20]}{"classes":{"type":"text","labels":["0","1","2","3","4","5","6","7","8","9","10"]},"target":'
    b'"class","columns":["0","1","2"],"reading":{"readers":{"reading":null,"step":0.01,"forms":[{"unit":[1,0]},'
    b'{"unit":[5,1]},{"unit":[5,1]},{"unit":[5,2]},{"unit":[1,2]},{"levels":["no","yes"]},{"levels":["0","1","2","3"]},'
    b'{"levels":["a","b","c","d","e","f","g"]},{"column":4,"missing":[0,-0.01],"levels":["f","m"]},{"form":"Quadratic"},'
    b'{"form":"Quadratic"},{"form":"Quadratic"}],"left_out":["digits: {"column":[0,1],"cuts":{"tuple":[null,[0.5]]},'
    b'"levels":{"of":[["a","b"],[0,1]],"at":[[0,0,1,1],[0,1,0,1]]}}],"target":null,"columns":["","numbers":[0,1,2,3,4,5,'
    b'6,7,8,9,10,11,12,13,14,15,16],"reading":null,"step":0.006,"forms":[{"unit":[5,1]},{"unit":[5,1]}],"left_out":['
    b'"levels of fewer than 5 rows: 1 of name, 2 of type","identifiers: id","digits: probabilities lie within 0.005 '
    b"of the model's, 0.00003 in the mean over classes, on 1,000 rows that it draws; the answer to 12 of them is anot"
    b'her","counts and values: it cannot learn, forget, be merged or leave rows out"],"roots":[0.0123,0.00308]}'
)
"""What was learnt first by those who packed under the key `content`."""

PRIMER = (
    b'{"form":"Quadratic","logarithm":true},{"form":"Chord","least":0,"open":true,"unit":[1,2]},{"form":"Chord","least":0,'
    b'"whole":true,"unit":[1,0]},{"form":"Bell"},{"form":"Bell"}],' + SECOND_PRIMER
)
"""What the text of every slim model has in common, which costs nothing then. Another one would be another version."""

FIRST_PRIMER = (
    b'["no","yes","false","true","none","other","unknown","female","male"],"target":"class","reading":{"readers":{"'
    b'{"classes":{"type":"text","labels":["0","1","2","3","a","b","c","d","e"]},"target":null,'
    b'"columns":["id","name","age","type","number","color","size","date"],"numbers":[0,1,2,3,4,5,6,7,8,9,10,11,12],'
    b'"reading":null,"step":0.005,"forms":[{"column":0,"unit":[1,0]},{"column":1,"unit":[5,1]},'
    b'{"column":2,"levels":["a","b","c","d","e","f","g"]},{"column":3,"levels":["no","yes"]},'
    b'{"column":4,"missing":[0,-0.01],"levels":["0","1","2"]},{"column":9,"unit":[1,2]},{"column":10,"levels":["f","m"]},'
    b'{"column":[0,1],"cuts":{"tuple":[null,[0.5]]},"levels":{"of":[["a","b"],[0,1]],"at":[[0,0,1,1],[0,1,0,1]]}}],'
    b'"left_out":["levels of fewer than 5 rows: 1 of name, 2 of type","identifiers: id",'
    b"\"digits: probabilities lie within 0.005 of the model's, 0.00003 in the mean over classes, on 1,000 rows that it "
    b'draws","counts and values: it cannot learn, forget, be merged or leave rows out"]}'
)
"""What was learnt first by those who packed under the key `tables`."""
